import { create } from "xmlbuilder2";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces";
import { counted } from "../../../text";
import { accessHeadline, notCountedText } from "../../document/access-entry";
import { diffOf } from "../../document/equal";
import type { Report, ReportDiagnostic, ReportObject, ReportStack, ReportWaiver } from "../../document/model";
import { idPartsOf } from "../../objects/object-facts";
import { groundsOf } from "../../views/waivers";
import { type Cause, Causes, factsOf, nameOf as nameOfStack } from "./entries";
import { isWhole } from "./summary";
import { xmlAttribute, xmlText } from "./xml-text";

/** The result of a test case, with its message and text. */
interface CaseResult {
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly message: string;
  readonly text: string;
}

/**
 * Returns a JUnit report with one suite for each stack, and one test case for each resource. Drift is a failure, an object that
 * could not be checked or changed is an error, and a change that never started is skipped. A problem of several objects is one
 * error in the first suite, and the test cases of these objects are skipped. Findings that waivers accept are skipped test cases
 * in a separate suite. The schema is `docs/junit.xsd`.
 */
export function junitReport(report: Report): string {
  const durationInSeconds = (Date.parse(report.finished_at) - Date.parse(report.started_at)) / 1000;
  const suites = suitesOf(report);
  const document = create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: "\uFFFD" });
  const root = element(document, "testsuites", {
    name: `steward ${report.command}`,
    ...tally(suites.flatMap(({ cases }) => cases)),
    time: durationInSeconds.toFixed(3),
  });
  for (const suite of suites) writeSuite(root, suite, report);
  return `${root.end({ prettyPrint: true })}\n`;
}

interface Case {
  readonly name: string;
  readonly group: string;
  /** The source file that declares the object. */
  readonly file?: string | undefined;
  readonly ending: CaseResult;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

function suitesOf(report: Report): Suite[] {
  const causes = new Causes(report);
  const shared = causes.all.filter(
    ({ diagnostic, objects }) => diagnostic.severity === "error" && objects.length > 1,
  );
  const stacks = report.stacks.map((stack) => ({
    name: nameOfStack(stack.name),
    cases: casesOf(stack, causes),
  }));
  const waived = (report.waivers ?? []).flatMap(waivedCases);
  return [
    ...(shared.length === 0 ? [] : [{ name: "errors", cases: shared.map(caseOf) }]),
    ...stacks,
    ...(waived.length === 0 ? [] : [{ name: "waivers", cases: waived }]),
  ];
}

/** Returns a skipped test case for each finding that a waiver accepts. */
function waivedCases(waiver: ReportWaiver): Case[] {
  const { accepted = [], rule, setting } = waiver;
  const message = `waived: ${groundsOf(waiver)}`;
  return accepted.map((name) => ({
    name,
    group: rule ?? setting ?? "",
    ending: { kind: "skipped", message, text: "" },
  }));
}

/** Returns the test case for an error of several objects. */
function caseOf({ diagnostic, objects, stacks }: Cause): Case {
  const { summary, detail, code } = diagnostic;
  const names =
    stacks.size < 2
      ? objects.map(({ address }) => address)
      : [...stacks].flatMap(([stack, of]) => of.map(({ address }) => `${stack}: ${address}`));
  const text = `${detail}\n\nThis concerns ${counted(objects.length, "object")}:\n${names.join("\n")}`;
  return { name: summary, group: code, ending: { kind: "error", message: summary, text } };
}

/** Returns the test cases of a stack: one for each object, and one for errors that belong to no object. */
function casesOf(stack: ReportStack, causes: Causes): Case[] {
  const objects = stack.objects.map(
    (object): Case => ({
      name: nameOf(object),
      group: object.address,
      file: object.file,
      ending: causes.isTold(object) ? toldElsewhere(object) : resultOf(object),
    }),
  );
  const errors = stack.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return objects;
  const ending: CaseResult = {
    kind: "error",
    message: errors[0]!.summary,
    text: errors.map(sentence).join("\n\n"),
  };
  return [{ name: nameOfStack(stack.name), group: "stack", ending }, ...objects];
}

/** Returns a name of an object for people, such as `acme/web · environment production`. */
function nameOf({ address, type, id, name, project, group }: ReportObject): string {
  const container = project ?? group;
  if (container === undefined) return address;
  const noun = type.replace(/^[^_]*_(protected_)?/, "").replaceAll("_", " ");
  const key = id === undefined ? (name ?? `(${address})`) : (idPartsOf(type, id)?.key ?? "");
  return `${container} · ${noun} ${key}`.trimEnd();
}

const toldElsewhere = ({ diagnostics }: ReportObject): CaseResult => ({
  kind: "skipped",
  message: `failed: ${diagnostics.map(({ summary }) => summary).join(", ")} See the suite "errors".`,
  text: "",
});

const factLines = (object: ReportObject): string =>
  factsOf([object])
    .map(({ name, text, url }) => `${name}: ${text}${url === undefined ? "" : ` (${url})`}`)
    .join("\n");

function resultOf(object: ReportObject): CaseResult {
  const { status, diagnostics } = object;
  const text = [
    status === "unchanged" || status === "in_sync" ? "" : factLines(object),
    status === "changed" ? `applied -> live:\n${diffOf(object)}` : diffOf(object),
    ...diagnostics.map(sentence),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const finding = FINDINGS[status];
  if (finding !== undefined) return { kind: "failure", message: finding, text };
  if (status === "failed") return { kind: "error", message: errors[0]?.summary ?? "failed", text };
  return status === "not_done"
    ? { kind: "skipped", message: "not started", text: "" }
    : { kind: "passed", message: "", text };
}

const FINDINGS: Readonly<Partial<Record<ReportObject["status"], string>>> = {
  changed: "differs on the service from the applied value",
  vanished: "is gone from the service",
  unmanaged: "is on the service but not declared",
};

/** Adds an XML element, and escapes the values of the element's attributes. */
function element(
  parent: XMLBuilder,
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
): XMLBuilder {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return parent.ele(
    name,
    Object.fromEntries(given.map(([key, value]) => [key, xmlAttribute(String(value))])),
  );
}

function writeSuite(root: XMLBuilder, { name: suiteName, cases }: Suite, report: Report): void {
  const suite = element(root, "testsuite", {
    name: suiteName,
    ...tally(cases),
    timestamp: report.started_at.replace(/\.\d+Z$/, ""),
    time: "0",
  });
  writeRun(suite, report);
  for (const { name, group, file, ending } of cases) {
    const testCase = element(suite, "testcase", {
      name,
      classname: `${suiteName}.${group}`,
      file,
      time: "0",
    });
    const { kind, message, text } = ending;
    if (kind === "failure" || kind === "error")
      element(testCase, kind, { message, type: kind }).txt(xmlText(text));
    else if (kind === "skipped") element(testCase, "skipped", { message });
    else if (text !== "") element(testCase, "system-out").txt(xmlText(text));
  }
}

/** Adds properties to a suite: the service, the pipeline and the time of the run, and the total of the access changes. */
function writeRun(suite: XMLBuilder, report: Report): void {
  const facts = [...runFacts(report), ...accessFacts(report)];
  if (facts.length === 0) return;
  const properties = element(suite, "properties");
  for (const [name, value] of facts) element(properties, "property", { name, value });
}

type Facts = readonly (readonly [name: string, value: string])[];

function runFacts({ run, started_at: time }: Report): Facts {
  if (run === undefined) return [];
  const { services, ...rest } = run;
  const facts = Object.entries({ service: services?.join(", "), ...rest, time });
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/**
 * Returns the properties about access changes, with the total. Names all access that is not counted, so that an incomplete
 * total does not look complete.
 */
function accessFacts(report: Report): Facts {
  const { access } = report;
  if (access === undefined) return [];
  const notCounted = access.flatMap((place) => place.not_counted.map(notCountedText));
  return [
    ["access", accessHeadline(access, isWhole(report))],
    ...[...new Set(notCounted)].map((text) => ["access", text] as const),
  ];
}

const tally = (cases: readonly Case[]) => {
  const count = (kind: CaseResult["kind"]) => cases.filter(({ ending }) => ending.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
};

const sentence = ({ severity, summary, code, detail }: ReportDiagnostic): string =>
  `${severity === "error" ? "Error" : "Warning"}: ${summary} [${code}]\n${detail}`;
