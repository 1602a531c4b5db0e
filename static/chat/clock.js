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

/** As the server writes it: the day only where it is another. */
export function stamp(time, moment = new Date()) {
  if (!time || Number.isNaN(moment.getTime())) return;
  const [day, clock] = [dayOf(moment), moment.toLocaleTimeString("sv-SE")];
  time.dateTime = moment.toISOString();
  time.title = `${day} ${clock}`;
  time.textContent = `${day === dayOf(new Date()) ? "" : `${day} `}${clock.slice(0, 5)}`;
}

/** `2026-05-01`, as Swedes write it. */
function dayOf(moment) {
  return moment.toLocaleDateString("sv-SE");
}
