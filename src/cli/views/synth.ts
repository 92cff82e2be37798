import path from "node:path";
import type { StackEntry } from "../../engine";
import { oneLine } from "../../text";
import type { ViewArguments } from "../arguments/command-line";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent } from "./json/events";

/** Lists the stacks and their folders. */
export function writeSynthesized(
  output: string,
  stacks: readonly StackEntry[],
  { out, folder }: Pick<Terminal, "out" | "folder">,
  { json }: ViewArguments,
): void {
  const count = `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}`;
  const shownOutput = path.relative(folder, output) || ".";
  if (json) {
    const listed = stacks.map((stack) => ({ name: stack.name, folder: stack.folder }));
    out.line(
      JSON.stringify(
        jsonEvent("synth_complete", `Synthesized ${count} into ${shownOutput}`, { output, stacks: listed }),
      ),
    );
    return;
  }
  const lines = stacks.map((stack) => `  ${stack.name}: ${path.relative(folder, stack.folder)}`);
  out.lines([`Synthesized ${count} into ${shownOutput}:`, ...lines].map(oneLine));
}
