/**
 * What is said aloud of a run: that an answer comes, that it is there, what became of it.
 */

export class Speaking {
  /** @param {import("./announcer.js").Announcer} announcer */
  constructor(announcer) {
    this.announcer = announcer;
    /** @type {Set<string>} */
    this.failed = new Set();
  }

  /** @param {string} name @param {any} data @param {string} runId */
  hear(name, data, runId) {
    const { announcer } = this;
    if (name === "message.created" && data.role === "assistant") announcer.say("answering");
    if (name === "ui.form") announcer.say("formShown", { title: data.form.title });
    if (name === "message.restated") announcer.say("restated");
    if (name === "error") {
      this.failed.add(runId);
      announcer.tell(announcer.texts.of("error", data.code, data.message));
    }
    if (name === "run.completed" && data.status === "cancelled") announcer.say("stopped");
    if (name === "run.completed" && data.status === "completed") this.#answered(runId);
  }

  /** A form that was shown is what there is to say. */
  #answered(runId) {
    if (!this.failed.has(runId)) this.announcer.say("answered");
  }
}
