import { Listr, ListrLogger, ProcessOutput } from "listr2";
import type { EngineEvent } from "../../../engine";
import { oneLine } from "../../../text";
import type { Wait } from "../../stacks/interruption";
import type { Terminal } from "../../terminal/terminal";
import { describeFully, describeWait } from "../summary";
import { PhaseCount, type Progress } from "./progress";

/** The refresh interval of the display. */
const TICK_MS = 500;

/** Events that end a change. */
const COMPLETED: ReadonlySet<EngineEvent["kind"]> = new Set(["settled", "apply_complete", "apply_errored"]);

/** The text of a task on the terminal. */
interface TaskText {
  title: string;
  output: string;
}

/** One phase on the terminal: a task that runs until `end`. */
interface PhaseDisplay {
  update(text: Partial<TaskText>): void;
  end(): Promise<unknown>;
}

/**
 * Progress on a terminal: one animated line and the latest event below it. Both disappear at the end of the
 * phase, and the changes that it completed stay.
 */
export class AnimatedProgress implements Progress {
  readonly #count = new PhaseCount();
  #display: PhaseDisplay | undefined;
  #wait: { readonly reason: string; readonly until: number } | undefined;
  #cancel: (() => void) | undefined;
  #completed: string[] = [];

  /** @param terminal keeps the lines of completed changes */
  constructor(private readonly terminal: { readonly err: Pick<Terminal["err"], "line"> }) {}

  stack(name: string | undefined): void {
    this.#count.start(name);
  }

  event(event: Exclude<EngineEvent, { kind: "warned" }>): void {
    const shown = this.#startDisplay();
    if (event.kind === "progress") this.#count.update(event);
    else {
      const output = oneLine(describeFully(event));
      if (COMPLETED.has(event.kind)) this.#completed.push(output);
      shown.update({ output });
    }
    shown.update({ title: this.#title() });
  }

  requested(): void {
    this.#count.requested();
    this.#startDisplay();
  }

  waiting({ seconds, reason }: Wait): void {
    const shown = this.#startDisplay();
    this.#wait = { reason, until: Date.now() + seconds * 1000 };
    shown.update({ title: this.#title() });
  }

  /** The timer updates the request count and the remaining time of a wait. */
  #startDisplay(): PhaseDisplay {
    if (this.#display !== undefined) return this.#display;
    const shown = showPhase();
    const timer = setInterval(() => shown.update({ title: this.#title() }), TICK_MS).unref();
    this.#cancel = () => clearInterval(timer);
    this.#display = shown;
    return shown;
  }

  /** A wait is shown until it is over, even while responses to earlier requests arrive. */
  #title(): string {
    const count = this.#count.describe();
    const seconds = Math.ceil(((this.#wait?.until ?? 0) - Date.now()) / 1000);
    if (this.#wait === undefined || seconds <= 0) return count;
    return `${oneLine(describeWait({ seconds, reason: this.#wait.reason }))} ${count}`;
  }

  async stop(): Promise<void> {
    const shown = this.#display;
    this.#display = undefined;
    this.#cancel?.();
    const completed = this.#completed.splice(0);
    await shown?.end();
    for (const line of completed) this.terminal.err.line(line);
  }
}

function showPhase(): PhaseDisplay {
  const text: TaskText = { title: "Working...", output: "" };
  // The task starts later than the first update of its text.
  let task: TaskText | undefined;
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
      // Reports are written to stdout, the animation to stderr.
      rendererOptions: {
        clearOutput: true,
        logger: new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) }),
      },
      // Steward handles Ctrl-C itself, since it has to finish the requests in flight.
      registerSignalListeners: false,
    },
  );
  const ended = list.run();
  return {
    update: (part) => void Object.assign(task ?? text, part),
    end() {
      finish();
      return ended;
    },
  };
}
