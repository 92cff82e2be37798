import { ownIdentity } from "../../../src/files";
import { Disk, useDisk } from "../disk/disk";
import { closeAll } from "../disk/fs";
import { type Exchange, Network, useNetwork } from "../network/network";
import type { SimulatedService } from "../network/service";
import { begin, Simulation } from "../time/simulation";
import { editedComment } from "./comments";
import { APPLY_TOKEN } from "./company";
import { Members } from "./entitled";
import { Jobs } from "./jobs";
import { checkEnd, checkReceivers, checkWrites, type Written } from "./laws";
import { Platform } from "./platform";
import type { Commit } from "./repository";
import { type Request, Requests } from "./requests";
import { type App, ELSEWHERE, readLive, SLOTS, type Slot } from "./settings";
import { LAWS, type Law, type Stage, type Violation } from "./stage";
import type { Policy, Step, Story } from "./story";

const LEVELS = { guest: 10, developer: 30, maintainer: 40 } as const;

/** The world of a story of people: its platform, disk, network and clock. */
export class PeopleWorld implements Stage {
  readonly violations: Violation[] = [];
  readonly platform: Platform;
  readonly requests: Requests;
  readonly members = new Members();
  readonly jobs: Jobs;
  /** The settings that people changed by hand. */
  readonly handmade = new Set<Slot>();
  /** The number of events by name, for the summary. */
  readonly events: Record<string, number> = {};
  readonly log: string[] = [];
  readonly simulation: Simulation;
  readonly disk = new Disk(["/state", "/jobs", "/base"]);
  readonly network: Network;
  #written: Written[] = [];
  #tokensElsewhere = 0;
  #live: Record<Slot, string>;

  constructor(
    readonly story: Story,
    readonly service: SimulatedService,
    /** The laws that this story checks. */
    readonly laws: readonly Law[] = LAWS,
  ) {
    service.database.run("UPDATE users SET state = 'active'");
    service.reset();
    this.simulation = new Simulation(story.seed);
    this.network = new Network(service);
    this.platform = new Platform(service);
    this.requests = new Requests(this.platform);
    this.jobs = new Jobs(this);
    this.#live = readLive(service.database);
    this.network.onSent = ({ origin, token }) => {
      if (origin === ELSEWHERE && token === APPLY_TOKEN) this.#tokensElsewhere += 1;
    };
    this.network.onService = (exchange, answer) => {
      const given = answer();
      if (exchange.method !== "GET") this.#observe(exchange);
      return given;
    };
  }

  get live(): Readonly<Record<Slot, string>> {
    return this.#live;
  }

  /** Plays the story to its end, or until it breaks a law. */
  async play(): Promise<void> {
    begin(this.simulation);
    useDisk(this.disk);
    useNetwork(this.network);
    ownIdentity();
    try {
      for (const step of this.story.steps) {
        this.count(step.do);
        this.pass();
        await this.#take(step);
        if (this.violations.length > 0) return;
      }
      await checkEnd(this);
    } finally {
      begin(undefined);
      closeAll();
    }
  }

  report(law: Law, what: string): void {
    if (this.laws.includes(law)) this.violations.push({ law, what });
  }

  count(event: string): void {
    this.events[event] = (this.events[event] ?? 0) + 1;
  }

  policyOf(commit: Commit): Policy {
    return this.jobs.policyOf(commit);
  }

  pass(): void {
    this.simulation.jumpClock(1000);
  }

  pipeline(request: Request): Promise<void> {
    return this.jobs.pipeline(request, undefined);
  }

  /** Runs the apply job of a commit, and checks the laws for its requests. */
  async apply(app: App, back: number, killedAt?: number): Promise<void> {
    const { main } = this.requests.repository;
    const commit = main[Math.max(0, main.length - 1 - back)]!;
    this.#written = [];
    this.#tokensElsewhere = 0;
    for (const { iid } of this.requests.all) this.platform.comment(iid, app);
    const ended = await this.jobs.apply(app, commit, killedAt);
    this.count(ended === undefined ? "a job is killed" : `a job ends with ${ended.code}`);
    if (this.#tokensElsewhere > 0) checkReceivers(this, app, commit);
    checkWrites(this, app, commit, this.#written, ended?.code === 0);
  }

  #observe({ method, target }: Exchange): void {
    const now = readLive(this.service.database);
    for (const slot of SLOTS) {
      const [before, after] = [this.#live[slot], now[slot]];
      if (before === after) continue;
      this.#written.push({ slot, before, after, request: `${method} ${target}` });
      this.count("a setting is written");
    }
    this.#live = now;
  }

  async #take(step: Step): Promise<void> {
    if ("request" in step) {
      const request = this.requests.all[step.request];
      if (request !== undefined) await this.#onRequest(request, step);
    } else if (step.do === "open") this.requests.open(step.by, step.changes, step.sameHeadAs, step.isDraft);
    else if (step.do === "job") await this.apply(step.app, step.back, step.killedAt);
    else if (step.do === "member") this.#changeMember(step);
    else {
      this.handmade.add(step.slot);
      this.platform.changeByHand(step.slot, step.value);
      this.#live = readLive(this.service.database);
    }
  }

  async #onRequest(request: Request, step: Extract<Step, { request: number }>): Promise<void> {
    const { requests } = this;
    if (step.do === "push") requests.push(request, step.by, step.changes, step.isForced);
    else if (step.do === "pipeline") await this.jobs.pipeline(request, step.tampering);
    else if (step.do === "approve") requests.approve(request, step.by, this.story.apps);
    else if (step.do === "unapprove") requests.unapprove(request, step.by);
    else if (step.do === "merge") requests.merge(request, step.how);
    else if (step.do === "close") requests.close(request);
    else if (step.do === "remove mark") this.platform.removeMarks("mallory", request.iid, step.app, step.how);
    else if (step.do === "reopen") requests.reopen(request);
    else if (step.do === "ready") request.isDraft = false;
    else if (step.do === "edit comment") this.#editComment(request, step);
  }

  #editComment(request: Request, { app, how }: Extract<Step, { do: "edit comment" }>): void {
    const note = this.platform.comment(request.iid, app);
    if (note === undefined) return;
    const others = this.requests.all.filter((one) => one !== request);
    const other = others.map(({ iid }) => this.platform.comment(iid, app)).find((one) => one !== undefined);
    const body = editedComment(note.body, how, other?.body);
    if (body !== undefined) this.platform.editComment("mallory", request.iid, note.id, body);
  }

  #changeMember({ who, becomes }: Extract<Step, { do: "member" }>): void {
    if (becomes === "blocked" || becomes === "active") {
      this.platform.block(who, becomes === "blocked");
      this.members.block(who, becomes === "blocked");
      return;
    }
    const level = becomes === "gone" ? 0 : LEVELS[becomes];
    if (level === 0) this.platform.removeMember(who);
    else this.platform.setMember(who, level);
    this.members.set(who, level);
  }
}
