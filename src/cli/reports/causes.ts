import type { Report, ReportDiagnostic, ReportObject } from "../document/model";

/** One cause, such as a token that the service refuses, with everything that it concerns. */
export interface Cause {
  /** Counted from 0, in the order of the report. */
  readonly index: number;
  /** The first diagnostic; those of other objects may name another request. */
  readonly diagnostic: ReportDiagnostic;
  /** The objects of each stack that has the problem. */
  readonly stacks: Map<string, ReportObject[]>;
  readonly objects: ReportObject[];
}

/** The errors and warnings of a report by their cause: every format shows each cause once. */
export class Causes {
  readonly #causes = new Map<string, Cause>();

  constructor(report: Report) {
    for (const { name, diagnostics, objects } of report.stacks) {
      const add = (diagnostic: ReportDiagnostic, object?: ReportObject) => {
        const { stacks, objects: all } = this.of(diagnostic);
        if (name !== null && !stacks.has(name)) stacks.set(name, []);
        if (object === undefined) return;
        all.push(object);
        if (name !== null) stacks.get(name)!.push(object);
      };
      for (const one of diagnostics) add(one);
      for (const object of objects) for (const one of object.diagnostics) add(one, object);
    }
  }

  /** All causes: errors, then warnings. */
  get all(): Cause[] {
    const causes = [...this.#causes.values()];
    const ofSeverity = (severity: string) =>
      causes.filter(({ diagnostic }) => diagnostic.severity === severity);
    return [...ofSeverity("error"), ...ofSeverity("warning")];
  }

  of(diagnostic: ReportDiagnostic): Cause {
    const { cause, severity, code, summary, detail } = diagnostic;
    const key = cause ?? JSON.stringify([severity, code, summary, detail]);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const first = { index: this.#causes.size, diagnostic, stacks: new Map(), objects: [] };
    this.#causes.set(key, first);
    return first;
  }

  /** Whether the causes that it shares with other objects say all about an object. */
  isTold({ diagnostics, attributes, status, action = "no-op" }: ReportObject): boolean {
    return (
      status === "failed" &&
      action === "no-op" &&
      attributes.length === 0 &&
      diagnostics.length > 0 &&
      diagnostics.every((diagnostic) => this.of(diagnostic).objects.length > 1)
    );
  }
}
