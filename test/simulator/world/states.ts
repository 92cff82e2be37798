import type { Disk } from "../disk/disk";
import type { SimulatedService } from "../network/service";
import type { Story } from "../story/story";
import { stateFileOf } from "./app";
import { STATES_PROJECT } from "./company";
import { readHeld } from "./held";
import { committedIn, leavingIn } from "./journals";
import type { Held } from "./records";

/**
 * Reads the states of a story's stacks, with their journals and locks. The states are on the disk or in the service.
 */
export class States {
  readonly #story: Story;
  readonly #disk: Disk;
  readonly #service: SimulatedService;

  constructor(story: Story, disk: Disk, service: SimulatedService) {
    this.#story = story;
    this.#disk = disk;
    this.#service = service;
  }

  /** Returns the objects that each state holds now. */
  held(): ReadonlyMap<string, Held> {
    return new Map(this.#story.stacks.map((stack) => [stack, readHeld(this.textOf(stack)) ?? new Map()]));
  }

  textOf(stack: string): string | undefined {
    if (this.#story.keeping === "file")
      return this.#disk.volume.find(stateFileOf(stack))?.content.toString("utf8");
    const row = this.#service.database.one<{ content: string | null }>(
      "SELECT content FROM terraform_states WHERE project_id = ? AND name = ?",
      STATES_PROJECT,
      stack,
    );
    return row?.content ?? undefined;
  }

  /** Returns the ids of the processes that hold a lock. */
  lockHolders(): number[] {
    const texts =
      this.#story.keeping === "file"
        ? this.#story.stacks.map((stack) =>
            this.#disk.volume.find(`/app/.${stack}.tfstate.lock.info`)?.content.toString(),
          )
        : this.#service.database
            .all<{ lock: string | null }>("SELECT lock FROM terraform_states")
            .map(({ lock }) => lock ?? undefined);
    return texts
      .flatMap((text) => /"pid":(\d+)/.exec(text?.replaceAll("\\", "") ?? "")?.[1] ?? [])
      .map(Number);
  }

  hasJournal(): boolean {
    return this.journals().length > 0;
  }

  /** Returns the texts of all journals that have lines. */
  journals(): string[] {
    if (this.#story.keeping === "file")
      return this.#story.stacks.flatMap(
        (stack) => this.#disk.volume.find(`${stateFileOf(stack)}.journal`)?.content.toString("utf8") ?? [],
      );
    const rows = this.#service.database.all<{ content: string | null }>(
      "SELECT content FROM terraform_states WHERE name LIKE '%-journal'",
    );
    // Steward does not delete a journal on the service, but clears its lines. A journal without lines does not count.
    return rows.flatMap(({ content }) => (content !== null && hasLines(content) ? content : []));
  }

  /** Returns the objects for which a journal announces a delete. */
  leaving(): ReadonlySet<string> {
    return new Set(this.journals().flatMap(leavingIn));
  }

  /** Returns true if a state has an object, or will have it because a journal records it as done. */
  holds(identity: string): boolean {
    return (
      [...this.held().values()].some((held) => [...held.values()].includes(identity)) ||
      this.journals().some((text) => committedIn(text).includes(identity))
    );
  }
}

/** Returns true if a document on the service is a journal with lines. */
function hasLines(content: string): boolean {
  const { outputs = {} } = JSON.parse(content) as { outputs?: Record<string, { value: unknown }> };
  return (outputs["steward_journal"]?.value ?? "") !== "";
}
