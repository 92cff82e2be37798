import path from "node:path";
import { parseJson } from "../../json";
import type { State } from "../../state";
import type { OutputArguments } from "../arguments/output";
import type { ShowArguments } from "../arguments/show";
import type { ByProgram, EngineArguments, SourceArguments, StateArguments } from "../arguments/stack-options";
import { showsColour, styleFor } from "../printing/style";
import { onlyOne } from "../stacks/choose-stack";
import type { NamedOutputs } from "../stacks/read-states";
import { createLog } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { renderStackHeading } from "../views/stack-heading";
import { Engine } from "./engine";
import { engineFailed } from "./engine-failed";
import { wordsPassage } from "./passage";
import { engineStacks } from "./stacks";
import { withTemporaryFolder } from "./temporary";

/** Where the program looks: in a stack's folder, or for one file in a folder that has nothing else. */
interface Place {
  readonly stack: string | undefined;
  readonly folder: string;
  readonly file: string | undefined;
}

/** Has the engine's program show a state or one of its saved plans, or the states of the stacks. */
export function showByProgram(args: ByProgram<ShowArguments>, terminal: Terminal): Promise<number> {
  const words = [
    "show",
    ...(args.json ? ["-json"] : []),
    ...(showsColour(terminal.out, terminal, args.color) ? [] : ["-no-color"]),
  ];
  return inPlaces(args, terminal, async (engine, places) => {
    if (args.json) onlyOne(places, "show --json");
    let worst = 0;
    for (const { stack, folder, file } of places) {
      if (places.length > 1)
        terminal.out.lines(renderStackHeading(stack, styleFor(terminal.out, terminal, args.color)));
      const code = await engine.run(folder, [...words, ...(file ? [file] : [])], wordsPassage(terminal));
      worst = Math.max(worst, code);
    }
    return worst;
  });
}

/** The outputs that the engine's program finds in a state, or in those of the stacks. */
export function outputsByProgram(
  args: ByProgram<OutputArguments>,
  terminal: Terminal,
): Promise<NamedOutputs[]> {
  return inPlaces(args, terminal, async (engine, places) => {
    const found: NamedOutputs[] = [];
    for (const { stack, folder, file } of places) {
      const words = ["output", "-json", "-no-color", ...(file ? [`-state=${file}`] : [])];
      const { code, out, said } = await engine.capture(folder, words);
      if (code !== 0) engineFailed("The outputs can't be read", said);
      found.push({ stack, outputs: parseJson(out) as State["outputs"] });
    }
    return found;
  });
}

/** A file needs no configuration, unless one is named for it. */
async function inPlaces<T>(
  args: ByProgram<SourceArguments & StateArguments & EngineArguments>,
  terminal: Terminal,
  work: (engine: Engine, places: readonly Place[]) => Promise<T>,
): Promise<T> {
  const file = args.state === undefined ? undefined : path.resolve(terminal.folder, args.state);
  const engine = await Engine.open(args, terminal, (text) => terminal.err.line(text));
  try {
    if (file !== undefined && args.config === undefined)
      return await withTemporaryFolder((folder) => work(engine, [{ stack: undefined, folder, file }]));
    const { stacks } = await engineStacks(args, terminal, createLog(terminal));
    for (const { folder } of stacks) await engine.initialize(folder);
    return await work(
      engine,
      stacks.map(({ name, folder }) => ({ stack: name, folder, file })),
    );
  } finally {
    await engine.close();
  }
}
