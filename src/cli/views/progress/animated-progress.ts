import { Listr, ListrLogger, type ListrTaskWrapper, ProcessOutput } from "listr2";
import type { EngineEvent } from "../../../engine/events";
import { describeEvent } from "../event-lines";
import { printable } from "../printable";
import { PhaseCount } from "./phase-count";
import type { Progress } from "./progress";

/** One phase on the screen: a task that ends when it is told to. */
interface Shown {
  readonly task: { title: string; output: string };
  readonly finish: () => void;
  readonly ended: Promise<unknown>;
}

/** Progress on a terminal: one line that moves, and below it what happened last. It is gone when the phase is over. */
export class AnimatedProgress implements Progress {
  readonly #count = new PhaseCount();
  #shown: Shown | undefined;

  event(event: EngineEvent): void {
    this.#shown ??= show();
    if (event.kind === "progress") {
      this.#count.update(event);
      this.#shown.task.title = this.#count.describe();
    } else this.#shown.task.output = printable(describeEvent(event));
  }

  async settle(): Promise<void> {
    const shown = this.#shown;
    this.#shown = undefined;
    shown?.finish();
    await shown?.ended;
  }
}

function show(): Shown {
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let task: ListrTaskWrapper<unknown, never, never> | undefined;
  const list = new Listr(
    {
      title: "Working...",
      task: (_, wrapper) => {
        task = wrapper as never;
        return finished;
      },
    },
    {
      // Reports go to stdout; what moves is shown beside them.
      rendererOptions: {
        clearOutput: true,
        logger: new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) }),
      },
      // Ctrl-C is ours to answer: what is under way has to be finished.
      registerSignalListeners: false,
    },
  );
  const ended = list.run();
  return { task: task!, finish, ended };
}
