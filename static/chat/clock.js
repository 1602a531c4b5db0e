/**
 * Times in the zone of the person: the server is told it for next time, and what it has rendered in
 * another zone is put right.
 */

const COOKIE = "timezone";
const YEAR = 365 * 24 * 3600;

/** @param {Document} page */
export function tellZone(page) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || page.cookie.split("; ").includes(`${COOKIE}=${zone}`)) return;
  page.cookie = `${COOKIE}=${zone}; path=/; max-age=${YEAR}; samesite=lax`;
  for (const time of page.querySelectorAll("time[datetime]")) stamp(time, new Date(time.dateTime));
}

/** @param {HTMLTimeElement | null} time @param {Date} [moment] */
export function stamp(time, moment = new Date()) {
  if (!time || Number.isNaN(moment.getTime())) return;
  time.dateTime = moment.toISOString();
  time.title = moment.toLocaleString();
  const style = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  time.textContent = moment.toLocaleTimeString([], style);
}
