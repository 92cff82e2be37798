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
  attributeList,
  isCollectionOfPrimitives,
  isNested,
  isNumericId,
  type NamedAttribute,
  type PathSyntax,
  type PathSyntaxes,
} from "./attribute";
import { memoize, once } from "./collections";
import { isObject, isUnknown, type Value, type ValueObject } from "./value";

/** The path step to an element: its position in a list, its content in a set. */
export const elementStep = (type: AttributeType, element: unknown, index: number): PathStep | SetElement =>
  type.kind === "set"
    ? new SetElement(() =>
        truncate(isNested(type) ? describeObject(type.nested, element) : describe(element)),
      )
    : index;

/** The attributes that identify an element; those with a default only if there are no others. */
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

/** A value as declared; a reference by its path. */
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
 * Validates a configuration against its attributes, except for unknown values. The host has converted all
 * values to the schema's types. `paths` holds the reference kinds.
 */
export function validateAttributes(
  attributes: Attributes,
  config: ValueObject,
  paths: PathSyntaxes = NO_PATHS,
): Diagnostic[] {
  // Almost all configurations are valid, and nothing is noted of them.
  if (validTest(attributes, paths)(config)) return [];
  const validation = new Validation(paths);
  validation.object(attributes, config);
  return validation.found;
}

/** One validation. The steps of the current path become a path for problems alone: most values have none. */
class Validation {
  readonly found: Diagnostic[] = [];
  readonly #steps: (NamedAttribute | (() => DiagnosticPath[number]))[] = [];

  constructor(private readonly paths: PathSyntaxes) {}

  object(attributes: Attributes, config: ValueObject): void {
    const all = attributeList(attributes);
    for (let index = 0; index < all.length; index += 1) {
      const named = all[index]!;
      this.#steps.push(named);
      this.#attribute(named.attribute, config[named.name] ?? null);
      this.#steps.pop();
    }
  }

  get #path(): DiagnosticPath {
    return this.#steps.map((step) => (typeof step === "function" ? step() : step.name));
  }

  #attribute(attribute: Attribute, value: Value): void {
    if (isUnknown(value)) return;
    if (value === null) {
      if (attribute.presence === "required") this.found.push(missing(this.#path));
    } else if (attribute.presence === "computed") this.found.push(readOnly(this.#path));
    else {
      const before = this.found.length;
      this.#shape(attribute, value);
      // A value of another shape is not checked.
      if (this.found.length === before) this.#report(attribute.text.check?.(value));
    }
  }

  #report(problem: string | undefined): void {
    if (problem !== undefined) this.found.push(invalidValue(this.#path, problem));
  }

  /** Checks that follow from the type: valid references, no null elements, valid nested objects. */
  #shape({ type, text }: Attribute, value: Value): void {
    if (type.kind === "reference") this.#report(checkReference(type.to, this.paths, value));
    else if (type.kind === "single") this.#element(type, text, value);
    else if (Array.isArray(value))
      (value as readonly Value[]).forEach((element, index) => {
        this.#steps.push(() => elementStep(type, element, index));
        this.#element(type, text, element);
        this.#steps.pop();
      });
  }

  #element(type: AttributeType, text: Attribute["text"], element: Value): void {
    if (isUnknown(element)) return;
    if (element === null) this.#report("An element can't be null.");
    else {
      const before = this.found.length;
      this.#content(type, element);
      if (this.found.length === before) this.#report(text.checkElement?.(element));
    }
  }

  #content(type: AttributeType, element: Value): void {
    if (isNested(type)) {
      if (isObject(element)) this.object(type.nested, element);
    } else if (isCollectionOfPrimitives(type) && type.element.kind === "reference")
      this.#report(checkReference(type.element.to, this.paths, element));
  }
}

type Test = (value: Value) => boolean;

const validTests = memoize((_: PathSyntaxes) => new Map<Attributes, (config: ValueObject) => boolean>());

/** Whether `Validation` finds nothing in a configuration. It is made once for each type, and notes no paths. */
const validTest = (attributes: Attributes, paths: PathSyntaxes): ((config: ValueObject) => boolean) =>
  once(validTests(paths), attributes, () => testOfObject(attributes, paths));

function testOfObject(attributes: Attributes, paths: PathSyntaxes): (object: ValueObject) => boolean {
  const names = Object.keys(attributes);
  const tests = names.map((name) => testOfAttribute(attributes[name]!, paths));
  return (object) => {
    for (let index = 0; index < tests.length; index += 1)
      if (!tests[index]!(object[names[index]!] ?? null)) return false;
    return true;
  };
}

function testOfAttribute({ presence, type, text }: Attribute, paths: PathSyntaxes): Test {
  const isShaped = testOfShape(type, text, paths);
  return (value) => {
    if (value === null) return presence !== "required";
    if (isUnknown(value)) return true;
    return presence !== "computed" && isShaped(value) && text.check?.(value) === undefined;
  };
}

function testOfShape(type: AttributeType, text: Attribute["text"], paths: PathSyntaxes): Test {
  if (type.kind === "reference") return testOfReference(type.to, paths);
  const isContent = testOfContent(type, paths);
  const isElement: Test = (element) =>
    isUnknown(element) ||
    (element !== null && isContent(element) && text.checkElement?.(element) === undefined);
  if (type.kind === "single") return isElement;
  return (value) => {
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1)
        if (!isElement(value[index] as Value)) return false;
    return true;
  };
}

function testOfContent(type: AttributeType, paths: PathSyntaxes): Test {
  if (isNested(type)) {
    const isValid = testOfObject(type.nested, paths);
    return (element) => !isObject(element) || isValid(element);
  }
  return isCollectionOfPrimitives(type) && type.element.kind === "reference"
    ? testOfReference(type.element.to, paths)
    : () => true;
}

/** Thousands of objects in a row name one container. */
function testOfReference(kind: string, paths: PathSyntaxes): Test {
  let last: Value = null;
  return (value) => {
    if (value === last) return true;
    if (checkReference(kind, paths, value) !== undefined) return false;
    last = value;
    return true;
  };
}

/** A path of digits alone would be read as an id. */
const isPath = (text: string, { pattern }: PathSyntax): boolean =>
  pattern.test(text) && !/^[0-9]+$/.test(text);

function checkReference(kind: string, paths: PathSyntaxes, value: Value): string | undefined {
  const text = String(value);
  const shape = paths[kind];
  if (isNumericId(text) || shape === undefined || isPath(text, shape)) return undefined;
  return (
    `${JSON.stringify(text)} is not a valid ${kind}. Give its numeric id, such as "42", or ` +
    `${shape.hint}.`
  );
}

/** A diagnostic about a value that is invalid in itself. */
export const invalidValue = (attribute: DiagnosticPath, problem: string): Diagnostic =>
  error({
    code: "invalid_value",
    summary: "Invalid value",
    detail: `${formatPath(attribute)}: ${problem}`,
    attribute,
  });

const missing = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "missing_attribute",
    summary: "Missing required attribute",
    detail: `${formatPath(attribute)} is required, but it is not set. Set it in the declaration.`,
    attribute,
  });

const readOnly = (attribute: DiagnosticPath): Diagnostic =>
  error({
    code: "read_only_attribute",
    summary: "Attribute can't be set",
    detail: `${formatPath(attribute)} is set by the service alone. Remove it from the declaration.`,
    attribute,
  });
