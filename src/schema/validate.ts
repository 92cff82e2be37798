import {
  type Diagnostic,
  type DiagnosticPath,
  error,
  formatPath,
  type PathStep,
  SetElement,
} from "../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  isCollectionOfPrimitives,
  isNested,
  type PathSyntax,
  type PathSyntaxes,
  type Value,
  type ValueObject,
} from "./attribute";
import { memoize, once } from "./helpers";
import { isNumericId, isObject, isUnknown } from "./value";

/** Returns the path step to an element: its position in a list, or its content in a set. */
export const elementStep = (type: AttributeType, element: unknown, index: number): PathStep | SetElement =>
  type.kind === "set"
    ? new SetElement(() =>
        truncate(isNested(type) ? describeObject(type.nested, element) : describe(element)),
      )
    : index;

/**
 * Describes an element by its identifying attributes. The text contains attributes with a default only if the
 * element has no other attributes.
 */
function describeObject(attributes: Attributes, element: unknown): string {
  if (typeof element !== "object" || element === null) return describe(element);
  const fields = element as Readonly<Record<string, unknown>>;
  const present = attributeEntries(attributes).filter(
    ([name, { text }]) => (fields[name] ?? null) !== null && text.sensitive !== true,
  );
  const identifying = present.filter(([, { text }]) => text.default === undefined);
  const shown = identifying.length > 0 ? identifying : present;
  return shown.length === 0 ? "{}" : shown.map(([name]) => `${name} ${describe(fields[name])}`).join(", ");
}

/** Formats a declared value for messages. A reference is formatted as its path. */
function describe(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { id, path } = value as { readonly id?: unknown; readonly path?: unknown };
  if (typeof id === "number") return JSON.stringify(path ?? String(id));
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? JSON.stringify(value) : "(known after apply)";
}

const MAX_LENGTH = 80;
const truncate = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;

const NO_PATHS: PathSyntaxes = {};

/**
 * Validates a configuration against its attributes, except for unknown values. All values already have the types of
 * the schema. `paths` contains the path syntax of each reference kind.
 */
export function validateAttributes(
  attributes: Attributes,
  config: ValueObject,
  paths: PathSyntaxes = NO_PATHS,
): Diagnostic[] {
  const test = once(testsBy(paths), attributes, () => testOfObject(attributes, paths));
  // Almost all configurations are valid, so this first test creates no report. Only an invalid configuration is
  // tested again, with a report.
  if (test(config)) return [];
  const report = new Report();
  test(config, report);
  return report.found;
}

/** Collects problems. The report creates the path of a value only for a problem, because most values have no problem. */
class Report {
  readonly found: Diagnostic[] = [];
  readonly steps: (string | (() => DiagnosticPath[number]))[] = [];

  add(describe: (path: DiagnosticPath) => Diagnostic): void {
    this.found.push(describe(this.steps.map((step) => (typeof step === "function" ? step() : step))));
  }
}

/**
 * A function that returns whether a value is valid. With a report, the test adds each problem to the report and
 * continues. Without a report, the test stops at the first problem.
 */
type Test<T = Value> = (value: T, report?: Report) => boolean;

const testsBy = memoize((_: PathSyntaxes) => new Map<Attributes, Test<ValueObject>>());

function refuse(report: Report | undefined, describe: (path: DiagnosticPath) => Diagnostic): false {
  report?.add(describe);
  return false;
}

const accept = (problem: string | undefined, report: Report | undefined): boolean =>
  problem === undefined || refuse(report, (path) => invalidValue(path, problem));

function testOfObject(attributes: Attributes, paths: PathSyntaxes): Test<ValueObject> {
  const names = Object.keys(attributes);
  const tests = names.map((name) => testOfAttribute(attributes[name]!, paths));
  return (object, report) => {
    let isValid = true;
    for (let index = 0; index < tests.length; index += 1) {
      report?.steps.push(names[index]!);
      isValid = tests[index]!(object[names[index]!] ?? null, report) && isValid;
      report?.steps.pop();
      if (!isValid && report === undefined) return false;
    }
    return isValid;
  };
}

function testOfAttribute({ presence, type, text }: Attribute, paths: PathSyntaxes): Test {
  const isShaped = testOfShape(type, text, paths);
  return (value, report) => {
    if (value === null) return presence !== "required" || refuse(report, missing);
    if (isUnknown(value)) return true;
    if (presence === "computed") return refuse(report, readOnly);
    // `text.check` is called only for a value that passes the test of its type.
    return isShaped(value, report) && accept(text.check?.(value), report);
  };
}

/**
 * Returns the test for values of a type: references are valid, elements are not null, and nested objects are
 * valid.
 */
function testOfShape(type: AttributeType, text: Attribute["text"], paths: PathSyntaxes): Test {
  if (type.kind === "reference") return testOfReference(type.to, paths);
  const isContent = testOfContent(type, paths);
  const isElement: Test = (element, report) => {
    if (isUnknown(element)) return true;
    if (element === null) return accept("An element can't be null.", report);
    return isContent(element, report) && accept(text.checkElement?.(element), report);
  };
  if (type.kind === "single") return isElement;
  return (value, report) => {
    if (!Array.isArray(value)) return true;
    let isValid = true;
    for (let index = 0; index < value.length; index += 1) {
      const element = value[index] as Value;
      report?.steps.push(() => elementStep(type, element, index));
      isValid = isElement(element, report) && isValid;
      report?.steps.pop();
      if (!isValid && report === undefined) return false;
    }
    return isValid;
  };
}

function testOfContent(type: AttributeType, paths: PathSyntaxes): Test {
  if (isNested(type)) {
    const isValid = testOfObject(type.nested, paths);
    return (element, report) => !isObject(element) || isValid(element, report);
  }
  return isCollectionOfPrimitives(type) && type.element.kind === "reference"
    ? testOfReference(type.element.to, paths)
    : () => true;
}

/**
 * Returns the test for references of one kind. The test caches the last valid text, because thousands of consecutive
 * objects name the same container.
 */
function testOfReference(kind: string, paths: PathSyntaxes): Test {
  let last: Value = null;
  return (value, report) => {
    if (value === last) return true;
    if (!accept(checkReference(kind, paths, value), report)) return false;
    last = value;
    return true;
  };
}

/**
 * Returns whether a text is a valid path. A text of only digits is not a path, because Steward reads such a text as an
 * id.
 */
const isPath = (text: string, { pattern }: PathSyntax): boolean =>
  pattern.test(text) && !/^[0-9]+$/.test(text);

function checkReference(kind: string, paths: PathSyntaxes, value: Value): string | undefined {
  const text = String(value);
  const shape = paths[kind];
  if (isNumericId(text) || shape === undefined || isPath(text, shape)) return undefined;
  return (
    `${JSON.stringify(text)} is not a valid ${kind}. Use its numeric ID, such as "42", or ` + `${shape.hint}.`
  );
}

/** Returns the diagnostic about a value that is invalid regardless of the other attributes. */
export const invalidValue = (attribute: DiagnosticPath, problem: string): Diagnostic =>
  error({
    code: "invalid_value",
    summary: "Invalid value",
    detail: problem,
    attribute,
  });

const missing = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "missing_attribute",
    summary: "Missing required attribute",
    detail: `\`${formatPath(attribute)}\` is required, but not set. Set it in the declaration.`,
    attribute,
  });

const readOnly = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "read_only_attribute",
    summary: "Attribute can't be set",
    detail: `Only the service sets \`${formatPath(attribute)}\`. Remove it from the declaration.`,
    attribute,
  });
