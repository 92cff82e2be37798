import { nearPatternHint } from "../../diagnostics";
import { wildcard } from "../../text";

/** The full paths of the projects and groups that a run saw. A pattern that matches none of these paths is probably mistyped. */
export class SeenProjects {
  readonly #paths = new Set<string>();
  /** Whether the run knows at least one project or group only by its number. */
  #hasNumbers = false;

  /** @param name the full path or the number of an object's project or group; undefined if the object belongs to neither */
  see(name: string | undefined): void {
    if (name === undefined) return;
    if (/^\d+$/.test(name)) this.#hasNumbers = true;
    else this.#paths.add(name.toLowerCase());
  }

  /**
   * Returns true if no project or group matches a pattern, in which `*` is any text. Also returns false if the run can't know
   * this: it saw no project, or knows only the number of a project or group.
   *
   * @param withGroups whether the pattern may also match a group above a project
   */
  hasNone(pattern: string, { withGroups = false } = {}): boolean {
    if (this.#hasNumbers || this.#paths.size === 0) return false;
    const test = wildcard(pattern, { ignoresCase: true });
    return ![...this.#paths].some((path) => test.test(path) || (withGroups && isAbove(test, path)));
  }

  /**
   * Returns the suggestion for a pattern that matches nothing, as the end of a sentence. Returns an empty text if there is no
   * similar path.
   */
  hintFor(pattern: string): string {
    return nearPatternHint(pattern, this.#paths);
  }
}

const isAbove = (test: { test(text: string): boolean }, path: string): boolean =>
  path.split("/").some((_, index, all) => test.test(all.slice(0, index).join("/")));
