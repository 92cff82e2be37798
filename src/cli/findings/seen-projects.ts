import { nearPatternHint } from "../../diagnostics";
import { wildcard } from "../../text";

/** The full paths of the projects and groups that a run saw: selectors that match none of them are probably mistyped. */
export class SeenProjects {
  readonly #paths = new Set<string>();
  /** Whether the run knows a project or group only by its number. */
  #hasNumbers = false;

  /** @param name the full path of a project or group, or its number; undefined for an object of neither */
  see(name: string | undefined): void {
    if (name === undefined) return;
    if (/^\d+$/.test(name)) this.#hasNumbers = true;
    else this.#paths.add(name.toLowerCase());
  }

  /**
   * Returns true if no project or group matches a pattern, in which `*` is any text. Returns false after a run that saw no
   * project or knows only the number of one.
   *
   * @param withGroups whether a group above a project matches, too
   */
  hasNone(pattern: string, { withGroups = false } = {}): boolean {
    if (this.#hasNumbers || this.#paths.size === 0) return false;
    const test = wildcard(pattern, { ignoresCase: true });
    return ![...this.#paths].some((path) => test.test(path) || (withGroups && isAbove(test, path)));
  }

  /** Returns the suggestion for a pattern that matches nothing, as the end of a sentence. Empty without a similar path. */
  hintFor(pattern: string): string {
    return nearPatternHint(pattern, this.#paths);
  }
}

const isAbove = (test: { test(text: string): boolean }, path: string): boolean =>
  path.split("/").some((_, index, all) => test.test(all.slice(0, index).join("/")));
