import { fail } from "../../diagnostics";
import type { Provider } from "../../framework";
import type { ByProgram, RunArguments } from "../arguments/stack-options";
import { showsColour } from "../printing/style";
import type { Outcome } from "../run/each-stack";
import { refuseWithoutOthers } from "../stacks/stack-order";
import { createLog } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { createRunView } from "../views/create-run-view";
import { diagnosticsOf } from "../views/failure";
import { type Result, resultEvent, total } from "../views/json/results";
import type { RunView } from "../views/run-view";
import { withObservers } from "../views/with-observers";
import { Engine } from "./engine";
import { eventsPassage, wordsPassage } from "./passage";
import { type EngineStack, engineStacks } from "./stacks";
import { Words } from "./words";

/** What a command needs to have another engine work on one stack. */
export interface OpenEngineStack {
  readonly stack: EngineStack;
  readonly engine: Engine;
  readonly words: Words;
  readonly view: RunView;
  /** Runs the program on the stack, and passes on what it writes. Answers with its exit code. */
  run(words: readonly string[]): Promise<number>;
}

export interface EngineManner {
  /** Stacks that others depend on come last. */
  readonly reversed: boolean;
  /** A stack is passed over when one that had to come before it failed. */
  readonly waits: boolean;
  /** Takes some of the stacks; without it all are worked on. */
  readonly choose?: (stacks: readonly EngineStack[]) => readonly EngineStack[];
  /** Watch the run beside its view, such as a report. */
  readonly observers?: readonly RunView[];
  /** The provider to serve, where it is not the plain one. */
  readonly provider?: Provider;
}

/** Has the engine's program work on the chosen stacks, one after the other, as `eachStack` does with our own. */
export async function eachEngineStack(
  args: ByProgram<RunArguments>,
  terminal: Terminal,
  manner: EngineManner,
  work: (open: OpenEngineStack) => Promise<Outcome>,
): Promise<Outcome> {
  if (args.failFast) refuse("--fail-fast", `\`${args.engine}\` begins what does not depend on a failure`);
  const view = withObservers(createRunView(args, terminal), manner.observers ?? []);
  const { stacks, warnings } = await engineStacks(args, terminal, createLog(terminal));
  view.diagnostics(warnings);
  const engine = await Engine.open(args, terminal, (text) => view.notice(text), manner.provider);
  const results: Result[] = [];
  try {
    const outcome = await inOrder({ args, terminal, manner, engine, view, results }, stacks, work);
    const sum = results.length > 1 ? total(results) : undefined;
    await view.end();
    if (args.json && sum !== undefined) terminal.out.line(JSON.stringify(resultEvent(sum)));
    return outcome;
  } finally {
    await engine.close();
  }
}

interface Surroundings {
  readonly args: ByProgram<RunArguments>;
  readonly terminal: Terminal;
  readonly manner: EngineManner;
  readonly engine: Engine;
  readonly view: RunView;
  /** Filled with what each stack came to. */
  readonly results: Result[];
}

async function inOrder(
  around: Surroundings,
  all: readonly EngineStack[],
  work: (open: OpenEngineStack) => Promise<Outcome>,
): Promise<Outcome> {
  const { manner, engine, view, terminal } = around;
  const chosen = manner.choose?.(all) ?? all;
  const failed = new Set<EngineStack>();
  let found = false;
  for (const stack of manner.reversed ? [...chosen].reverse() : chosen) {
    view.stack(stack.name, chosen.length);
    try {
      if (manner.waits) refuseWithoutOthers(stack, failed, manner.reversed);
      const outcome = await work(open(around, stack, all));
      if (outcome === "failed") failed.add(stack);
      if (outcome === "found") found = true;
    } catch (problem) {
      view.diagnostics(diagnosticsOf(problem, terminal));
      failed.add(stack);
    }
    if (engine.interruption.stop.aborted) break;
  }
  if (failed.size > 0 || engine.interruption.stop.aborted) return "failed";
  return found ? "found" : "nothing";
}

function open(around: Surroundings, stack: EngineStack, all: readonly EngineStack[]): OpenEngineStack {
  const { args, terminal, engine, view, results } = around;
  const { backend } = stack.declarations;
  if (args.state !== undefined && backend !== "local")
    refuse("--state", `the configuration keeps its state in the backend "${backend}"`);
  return {
    stack,
    engine,
    view,
    words: new Words(args, terminal.folder, showsColour(terminal.out, terminal, args.color), all),
    async run(words) {
      const passage = args.json ? eventsPassage(terminal, stack.name) : wordsPassage(terminal);
      const code = await engine.run(stack.folder, words, passage);
      const counts = passage.end();
      if (counts !== undefined) results.push({ ...counts, hasFailed: code === 1 });
      return code;
    },
  };
}

/** @throws DiagnosticError `engine_option_unsupported` */
export function refuse(option: string, why: string): never {
  return fail({
    code: "engine_option_unsupported",
    summary: "Option not supported with this engine",
    detail: `${option} can't be given here: ${why}. Leave it out, or leave --engine out.`,
  });
}
