import type { SimulatedService } from "../network/service";
import {
  ACME,
  ADMINISTRATOR,
  COMMENT_TOKEN,
  idOf,
  type Person,
  SETTINGS,
  SHOP,
  TOOLS,
  tokenOf,
} from "./company";
import type { Slot } from "./settings";

/** A comment of a merge request, as the API returns it. */
export interface Note {
  readonly id: number;
  readonly body: string;
  readonly updated_at: string;
  readonly author: { readonly username: string };
}

interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Sends the actions of people to the platform, with their own tokens. An action that the platform refuses changes
 * nothing.
 */
export class Platform {
  constructor(readonly service: SimulatedService) {}

  send<Body = unknown>(token: string, method: string, target: string, body?: object): Reply<Body> {
    const { status, text } = this.service.answer({
      method,
      target: target.startsWith("/_steward") ? target : `/api/v4${target}`,
      headers: { "private-token": token, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status, body: (text === "" ? undefined : JSON.parse(text)) as Body };
  }

  /**
   * Opens a merge request.
   * @returns its number; undefined if the platform refuses the person
   */
  open(by: Person, sha: string, branch: string): number | undefined {
    const request = { title: branch, source_branch: branch, sha };
    return this.send<{ iid?: number }>(
      tokenOf(by),
      "POST",
      `/_steward/projects/${SETTINGS}/merge_requests`,
      request,
    ).body.iid;
  }

  /** Records a push of a commit to the default branch. */
  push(sha: string): void {
    const target = `/_steward/projects/${SETTINGS}/pushes`;
    this.send(tokenOf("mallory"), "POST", target, { ref: "main", sha });
  }

  /** Records a running pipeline for a commit of the default branch. */
  startPipeline(sha: string): void {
    const pipeline = { ref: "main", sha, status: "running" };
    this.send(tokenOf("mallory"), "POST", `/_steward/projects/${SETTINGS}/pipelines`, pipeline);
  }

  /**
   * Records a change of a merge request: a push, a merge or a close. The service has no repository to change.
   * @returns true if the platform accepts the change
   */
  change(by: Person, iid: number, change: object): boolean {
    const target = `/_steward/projects/${SETTINGS}/merge_requests/${iid}`;
    return this.send(tokenOf(by), "PUT", target, change).status < 300;
  }

  /**
   * Approves a merge request.
   * @returns true if the platform accepts the approval
   */
  approve(by: Person, iid: number, sha: string): boolean {
    return this.#post(by, iid, "approve", { sha });
  }

  unapprove(by: Person, iid: number): boolean {
    return this.#post(by, iid, "unapprove", {});
  }

  #post(by: Person, iid: number, what: string, body: object): boolean {
    return this.send(tokenOf(by), "POST", `${REQUESTS}/${iid}/${what}`, body).status < 300;
  }

  /**
   * Returns the bot's comment about an app. The `updated_at` of the comment is the time of the last edit of the text.
   */
  comment(iid: number, app: string): Note | undefined {
    const { body } = this.send<readonly Note[]>(
      COMMENT_TOKEN,
      "GET",
      `${REQUESTS}/${iid}/notes?per_page=100`,
    );
    const found = body.find(
      (note) => note.author.username === "commenter" && note.body.startsWith(`<!-- steward ci ${app} -->\n`),
    );
    if (found === undefined) return undefined;
    const reactions = `${REQUESTS}/${iid}/notes/${found.id}/award_emoji`;
    const { body: all } = this.send<readonly unknown[]>(COMMENT_TOKEN, "GET", reactions);
    if (all.length === 0) this.#edited.set(found.id, found.updated_at);
    return { ...found, updated_at: this.#edited.get(found.id) ?? found.updated_at };
  }

  /**
   * The times of the last edits of comments, by the number of the comment. The platform also counts a reaction as an
   * edit, such as the reaction that marks an approval as spent.
   */
  readonly #edited = new Map<number, string>();

  /**
   * Deletes the bot's notes which say that an approval of an app is spent, or edits them so that they no longer say it.
   */
  removeMarks(by: Person, iid: number, app: string, how: "delete" | "edit"): void {
    const notes = `${REQUESTS}/${iid}/notes`;
    const { body: all } = this.send<readonly Note[]>(COMMENT_TOKEN, "GET", `${notes}?per_page=100`);
    for (const { id, body } of all.filter((note) => note.body.startsWith(`<!-- steward apply ${app} `)))
      if (how === "delete") this.send(tokenOf(by), "DELETE", `${notes}/${id}`);
      else this.editComment(by, iid, id, body.replace(/ spent(?: whole)? /, " started "));
  }

  editComment(by: Person, iid: number, note: number, body: string): boolean {
    return this.send(tokenOf(by), "PUT", `${REQUESTS}/${iid}/notes/${note}`, { body }).status < 300;
  }

  /** Sets the access level of a person in the group `acme`. */
  setMember(who: Person, level: number): void {
    const access_level = level;
    const { status } = this.send(ADMINISTRATOR, "PUT", `${MEMBERS}/${idOf(who)}`, { access_level });
    if (status === 404) this.send(ADMINISTRATOR, "POST", MEMBERS, { user_id: idOf(who), access_level });
  }

  removeMember(who: Person): void {
    this.send(ADMINISTRATOR, "DELETE", `${MEMBERS}/${idOf(who)}`);
  }

  block(who: Person, isBlocked: boolean): void {
    this.send(ADMINISTRATOR, "POST", `/users/${idOf(who)}/${isBlocked ? "block" : "unblock"}`);
  }

  /** Changes a setting on the platform directly, without a merge request. */
  changeByHand(slot: Slot, value: string): void {
    const project = `/projects/${slot === "other" ? TOOLS : SHOP}`;
    const send = (method: string, path: string, body?: object) =>
      this.send(ADMINISTRATOR, method, `${project}${path}`, body);
    if (slot === "limit" || slot === "other")
      send("PATCH", "/job_token_scope", { enabled: value === "true" });
    else if (slot === "guest") {
      send("DELETE", "/invitations/guest%40example.com");
      if (value !== "")
        send("POST", "/invitations", { email: "guest@example.com", access_level: Number(value) });
    } else {
      const target = slot === "tools" ? TOOLS : SETTINGS;
      if (value === "out") send("DELETE", `/job_token_scope/allowlist/${target}`);
      else send("POST", "/job_token_scope/allowlist", { target_project_id: target });
    }
  }
}

const REQUESTS = `/projects/${SETTINGS}/merge_requests`;
const MEMBERS = `/groups/${ACME}/members`;
