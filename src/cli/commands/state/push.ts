import { decodeStateText, parseState, previewPush, pushState, requireSingle } from "../../../engine";
import type { PushArguments } from "../../arguments/state";
import { whileEditing } from "../../stacks/interruption";
import { readNamed } from "../../stacks/named-input";
import { namedStatePlaces } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writePushed } from "../../views/state-changes";

/** Replaces a state by that of a file. */
export async function pushIntoState(args: PushArguments, terminal: Terminal): Promise<number> {
  const { backend } = requireSingle(await namedStatePlaces(args, terminal), "state push");
  const { bytes, name } = await readNamed(args.file, "state_not_found", terminal);
  const request = { state: parseState(decodeStateText(bytes, name), name), force: args.force };
  const pushed = args.dryRun
    ? await previewPush(backend, request)
    : await whileEditing(terminal, (onNotice, signal) =>
        pushState(backend, request, {
          operation: "state push",
          timeoutMs: args.lockTimeout,
          onNotice,
          signal,
        }),
      );
  writePushed(backend.description, pushed, terminal, args);
  return 0;
}
