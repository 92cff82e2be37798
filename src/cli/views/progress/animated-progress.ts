import { Listr, ListrLogger, ProcessOutput } from "listr2";
import type { EngineEvent } from "../../../engine";
import { oneLine } from "../../../text";
import type { Wait } from "../../stacks/waits";
import { describeFully, describeWait } from "../event-lines";
import { PhaseCount } from "./phase-count";
import type { Progress } from "./progress";

/** So often the line that moves is brought up to date. */
const TICK_MS = 500;

/** What a task on the screen shows. */
interface Text {
  title: string;
  output: string;
}

/** One phase on the screen: a task that ends when it is told to. */
interface Shown {
  say(text: Partial<Text>): void;
  end(): Promise<unknown>;
}

/** Progress on a terminal: one line that moves, and below it what happened last. It is gone when the phase is over. */
export class AnimatedProgress implements Progress {
  readonly #count = new PhaseCount();
  #shown: Shown | undefined;
  #wait: { readonly reason: string; readonly until: number } | undefined;
  #cancel: (() => void) | undefined;

  event(event: Exclude<EngineEvent, { kind: "warned" }>): void {
    const shown = this.#show();
    if (event.kind === "progress") this.#count.update(event);
    else shown.say({ output: oneLine(describeFully(event)) });
    shown.say({ title: this.#title() });
  }

  requested(): void {
    this.#count.requested();
  }

  waiting({ seconds, reason }: Wait): void {
    const shown = this.#show();
    this.#wait = { reason, until: Date.now() + seconds * 1000 };
    shown.say({ title: this.#title() });
  }

  /** What is shown counts on by itself: requests, and the time that is left of a wait. */
  #show(): Shown {
    if (this.#shown !== undefined) return this.#shown;
    const shown = show();
    const timer = setInterval(() => shown.say({ title: this.#title() }), TICK_MS).unref();
    this.#cancel = () => clearInterval(timer);
    this.#shown = shown;
    return shown;
  }

  /** A wait stays in sight as long as it lasts: answers to what was sent before still come in. */
  #title(): string {
    const count = this.#count.describe();
    const seconds = Math.ceil(((this.#wait?.until ?? 0) - Date.now()) / 1000);
    if (this.#wait === undefined || seconds <= 0) return count;
    return `${oneLine(describeWait({ seconds, reason: this.#wait.reason }))} ${count}`;
  }

  async settle(): Promise<void> {
    const shown = this.#shown;
    this.#shown = undefined;
    this.#cancel?.();
    await shown?.end();
  }
}

function show(): Shown {
  const text: Text = { title: "Working...", output: "" };
  // The task begins later than what is said of it.
  let task: Text | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const list = new Listr(
    {
      title: text.title,
      task: (_, wrapper) => {
        task = Object.assign(wrapper, text);
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
  return {
    say: (part) => void Object.assign(task ?? text, part),
    end() {
      finish();
      return ended;
    },
  };
}
