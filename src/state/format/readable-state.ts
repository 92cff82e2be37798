import { crc32 } from "node:zlib";
import { unreadable } from "../../files";
import { resourceAddress } from "../../language";
import { compareResources, sorted } from "../model/content";
import type { ResourceState, State } from "../model/model";
import { rootOf } from "./fields";
import { parseState, readResource } from "./file-format";
import { formatStateInParts } from "./format-state";

/** For the messages of the reader. */
const NEW_STATE = "The new state";

/**
 * Formats a state in parts. The reader of states accepts each part. A text that no run could read must not replace a state.
 *
 * The parts are read instead of the saved state, because a large state is never a single string. Reading costs about a fifth
 * of formatting.
 *
 * @throws FileProblem `unreadable`
 */
export function* readableParts(state: State): Generator<string> {
  const resources = sorted(state.resources, compareResources);
  let head: string | undefined;
  let at = 0;
  for (const part of explained(formatStateInParts(state))) {
    if (head === undefined) head = part;
    else if (part.endsWith("}\n")) readRest(head, part);
    else {
      requireReadable(part, resources[at]!, resources[at - 1]);
      at += 1;
    }
    yield part;
  }
}

/**
 * The length and the checksum of the last text of each resource that was read, by address. An apply saves the state several
 * times, and most resources are the same in each of them.
 */
const readBefore = new Map<string, string>();

/** Formats a state as one text that the reader of states accepts. @throws FileProblem `unreadable` */
export const readableState = (state: State): string => [...readableParts(state)].join("");

/** A value that JSON can't hold is found while it is formatted. */
function* explained(parts: Iterable<string>): Generator<string> {
  try {
    yield* parts;
  } catch (problem) {
    throw unreadable(problem);
  }
}

function requireReadable(part: string, resource: ResourceState, last: ResourceState | undefined): void {
  orUnreadable(() => {
    if (last !== undefined && compareResources(last, resource) >= 0)
      throw new Error("two resources have one address");
    const text = part.replace(/^,/, "");
    const [address, mark] = [resourceAddress(resource), `${text.length} ${crc32(text)}`];
    if (readBefore.get(address) === mark) return;
    readResource(rootOf(text, NEW_STATE));
    readBefore.set(address, mark);
  });
}

/** Everything but the resources. */
const readRest = (head: string, tail: string): State =>
  orUnreadable(() => parseState(`${head}${tail.trimStart()}`, NEW_STATE));

function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    throw unreadable(problem);
  }
}
