import { type Ended, runCommand } from "./commands";
import { APPLY_TOKEN, COMMENT_TOKEN, READ_TOKEN, SETTINGS } from "./company";
import { policyModule } from "./entitled";
import { showsRulesOf } from "./laws";
import type { Commit } from "./repository";
import type { Request } from "./requests";
import { type App, configurationOf, heldValues } from "./settings";
import type { Stage } from "./stage";
import { changesRules, type Policy, type Tampering } from "./story";

const ORIGIN = "http://127.0.0.1:4000";
const FOLDER = "/jobs";
/**
 * The folder with the checkout of the target branch. The folder is used in stories whose merge requests change rules.
 */
const BASE = "/base";
/** The variables that every job has. */
const JOB = {
  CI: "true",
  CI_API_V4_URL: `${ORIGIN}/api/v4`,
  CI_PROJECT_ID: String(SETTINGS),
  CI_DEFAULT_BRANCH: "main",
  STEWARD_BASE_URL: ORIGIN,
  STEWARD_ADDRESS_KEY: "key-of-the-addresses-0123",
};

/**
 * Runs the jobs of pipelines with the real commands. Each job has a checkout of its commit, and all jobs share the
 * states.
 */
export class Jobs {
  constructor(private readonly world: Stage) {}

  /** Runs the pipeline of a merge request: for each app, plans its head commit and writes the comment. */
  async pipeline(request: Request, tampering: Tampering | undefined): Promise<void> {
    if (request.state !== "opened") return;
    for (const app of this.world.story.apps) {
      await this.#plan(app, request.head, request.base);
      const isEdited = tampering !== undefined && (await this.#tamper(app, request, tampering));
      const env = {
        ...JOB,
        CI_MERGE_REQUEST_IID: String(request.iid),
        CI_COMMIT_SHA: request.head.sha,
        STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
      };
      const words = ["plan.json", "--approval", "changes.json", "--name", app];
      const ended = await this.#run("comment", words, env);
      this.world.log.push(`comment on !${request.iid} for ${app}: ${ended?.output ?? "killed"}`);
      if (ended?.code === 0) {
        const { disk, live } = this.world;
        const policy = this.policyOf(request.base);
        this.world.requests.keepAsked(request, app, { held: heldValues(disk, app), live, policy });
      }
      // An author who swaps the plan also chooses its text about changed rules, so the law `read` does not check this
      // text. The law `approved` checks that the comment allows no write.
      const isSwapped = tampering === "plan of another request";
      const { body = "" } = this.world.platform.comment(request.iid, app) ?? {};
      if (ended?.code === 0 && !isSwapped && !showsRulesOf(this.world, request, body))
        this.world.report("read", `the comment of !${request.iid} does not say that it changes rules`);
      if (ended?.code === 0 && isEdited)
        this.world.report("read", `a comment of !${request.iid} hides changes`);
    }
  }

  /**
   * Runs the apply job of a commit.
   * @returns undefined if the job was killed
   */
  async apply(app: App, commit: Commit, killedAt: number | undefined): Promise<Ended | undefined> {
    const options = (await this.#judge(app, commit)) ?? this.#checkOut(app, commit, commit);
    const env = {
      ...JOB,
      CI_COMMIT_SHA: commit.sha,
      CI_COMMIT_BRANCH: "main",
      STEWARD_TOKEN: APPLY_TOKEN,
      STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
    };
    const { atLeast } = this.world.story;
    const words = ["--name", app, "--approvals", String(atLeast), ...options];
    const ended = await this.#run("apply", words, env, killedAt);
    this.world.log.push(`apply of ${app} at ${commit.sha.slice(0, 4)}: ${ended?.output ?? "killed"}`);
    return ended;
  }

  /** Returns the policy that the repository has at a commit. */
  policyOf({ values }: Commit): Policy {
    return (values.policy as Policy | undefined) ?? this.world.story.policy;
  }

  /**
   * Plans a merged commit and judges the plan by the rules before the merge. Runs only in stories whose merge requests
   * change rules.
   * @returns the options of the apply that follows; undefined in all other stories
   */
  async #judge(app: App, commit: Commit): Promise<string[] | undefined> {
    if (!changesRules(this.world.story)) return undefined;
    await this.#plan(app, commit, this.world.requests.repository.before(commit));
    return ["--config", ".", "--judged", "changes.json"];
  }

  async #plan(app: App, commit: Commit, base: Commit): Promise<void> {
    const options = this.#checkOut(app, commit, base);
    const env = { ...JOB, CI_COMMIT_SHA: commit.sha, STEWARD_TOKEN: READ_TOKEN };
    const files = ["--report", "plan.json", "--out-approval", "changes.json"];
    const ended = await this.#run("plan", ["--lock=false", ...files, ...options], env);
    this.world.log.push(`plan of ${app} at ${commit.sha.slice(0, 4)}: ${ended?.output ?? "killed"}`);
  }

  /**
   * Writes the files of a commit to the simulated disk.
   * @returns the options that all commands of its pipeline get
   */
  #checkOut(app: App, commit: Commit, base: Commit): string[] {
    const { volume } = this.world.disk;
    for (const folder of [FOLDER, BASE])
      for (const name of volume.list(folder)) volume.unlink(`${folder}/${name}`);
    volume.place(`${FOLDER}/main.tf.json`, configurationOf(app, commit.values));
    this.#placeRules(FOLDER, commit);
    if (!changesRules(this.world.story))
      return ["--config", ".", ...(this.world.story.policy === "none" ? [] : ["--policy", "policy.js"])];
    this.#placeRules(BASE, base);
    return ["--config", ".", "--base", BASE, "--policy", "policy.js"];
  }

  #placeRules(folder: string, commit: Commit): void {
    const { volume } = this.world.disk;
    const text = policyModule(this.policyOf(commit));
    if (text !== undefined) volume.place(`${folder}/policy.js`, text);
    const { owners } = commit.values;
    if (owners) volume.place(`${folder}/OWNERS`, `* @${owners}\n`);
  }

  /**
   * Edits the files of the plan's job, as an author can do before the job that writes the comment.
   * @returns true if the edited approval file hides changes
   */
  async #tamper(app: App, request: Request, tampering: Tampering): Promise<boolean> {
    const { volume } = this.world.disk;
    const file = `${FOLDER}/changes.json`;
    const text = volume.find(file)?.content.toString();
    if (text === undefined) return false;
    const { commit, changes } = JSON.parse(text) as { commit: string; changes: readonly unknown[] };
    if (tampering === "fewer approvals")
      volume.place(file, text.replace(/"approvals": \d+/, '"approvals": 1'));
    if (tampering === "no changes")
      volume.place(file, `${JSON.stringify({ ...JSON.parse(text), changes: [] }, undefined, 2)}\n`);
    if (tampering !== "plan of another request") return tampering === "no changes" && changes.length > 0;
    const report = volume.find(`${FOLDER}/plan.json`)!.content.toString();
    const other = this.world.requests.all.find((one) => one !== request);
    await this.#plan(app, other?.head ?? this.world.requests.repository.head, request.base);
    const swapped = volume
      .find(file)
      ?.content.toString()
      .replace(/"commit": "\w+"/, `"commit": "${commit}"`);
    volume.place(file, swapped ?? text);
    volume.place(`${FOLDER}/plan.json`, report);
    return false;
  }

  async #run(
    name: "plan" | "comment" | "apply",
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    killedAt?: number,
  ): Promise<Ended | undefined> {
    const { simulation } = this.world;
    const started = simulation.start(name, () => runCommand(name, words, FOLDER, env), {
      prepare: (process) => {
        process.crashAt = killedAt;
      },
    });
    const stuck = await simulation.finish([started]);
    if (stuck.length > 0) throw new Error(`The command ${name} does not end`);
    // Waits until the service has received all requests that a killed job had sent. Otherwise, these requests would
    // disturb the next step of the story.
    await simulation.calm();
    if (started.result !== undefined && "error" in started.result) throw started.result.error;
    return started.result?.value;
  }
}
