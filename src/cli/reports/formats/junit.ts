import { create } from "xmlbuilder2";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../model";

/** How a test case ended, and the text that goes with it. */
interface Ending {
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly message: string;
  readonly text: string;
}

/**
 * A JUnit report: a suite a stack, a test case a resource. Drift is a failure; what could not be looked at or done is
 * an error; what was never begun is skipped. `docs/junit.xsd` is its schema.
 */
export function junitReport(report: Report): string {
  const seconds = (Date.parse(report.finished_at) - Date.parse(report.started_at)) / 1000;
  const root = create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: "\uFFFD" }).ele(
    "testsuites",
    {
      name: `steward ${report.command}`,
      ...tally(report.stacks.flatMap(casesOf)),
      time: seconds.toFixed(3),
    },
  );
  for (const stack of report.stacks) writeSuite(root, stack, report);
  return `${root.end({ prettyPrint: true })}\n`;
}

interface Case {
  readonly name: string;
  readonly group: string;
  readonly ending: Ending;
}

/** A stack's objects, and the stack itself where something is wrong with no one of them. */
function casesOf(stack: ReportStack): Case[] {
  const objects = stack.objects.map(
    (object): Case => ({ name: object.address, group: object.type, ending: endingOf(object) }),
  );
  const errors = stack.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return objects;
  const ending: Ending = {
    kind: "error",
    message: errors[0]!.summary,
    text: errors.map(sentence).join("\n\n"),
  };
  return [{ name: suiteName(stack), group: "stack", ending }, ...objects];
}

function endingOf({ status, diff, diagnostics, reason }: ReportObject): Ending {
  const text = [diff, ...diagnostics.map(sentence)].filter((part) => part !== "").join("\n\n");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  switch (status) {
    case "changed":
      return { kind: "failure", message: "differs on the service from what was applied", text };
    case "vanished":
      return { kind: "failure", message: "is gone from the service", text };
    case "unmanaged":
      return { kind: "failure", message: "is on the service but not declared", text };
    case "failed":
      return { kind: "error", message: errors[0]?.summary ?? "failed", text };
    case "not_done":
      return { kind: "skipped", message: "not begun", text: "" };
    default:
      return { kind: "passed", message: reason ?? "", text };
  }
}

function writeSuite(root: XMLBuilder, stack: ReportStack, report: Report): void {
  const cases = casesOf(stack);
  const suite = root.ele("testsuite", {
    name: suiteName(stack),
    ...tally(cases),
    timestamp: report.started_at.replace(/\.\d+Z$/, ""),
    time: "0",
  });
  for (const { name, group, ending } of cases) {
    const element = suite.ele("testcase", { name, classname: `${suiteName(stack)}.${group}`, time: "0" });
    const { kind, message, text } = ending;
    if (kind === "failure" || kind === "error") element.ele(kind, { message, type: kind }).txt(text);
    else if (kind === "skipped") element.ele("skipped", { message });
    else if (text !== "") element.ele("system-out").txt(text);
  }
}

const suiteName = ({ name }: ReportStack): string => name ?? "configuration";

const tally = (cases: readonly Case[]) => {
  const count = (kind: Ending["kind"]) => cases.filter(({ ending }) => ending.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
};

const sentence = ({ severity, summary, detail }: ReportDiagnostic): string =>
  `${severity === "error" ? "Error" : "Warning"}: ${summary}\n${detail}`;
