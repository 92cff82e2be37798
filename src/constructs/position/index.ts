import {
  TerraformDataSource,
  type TerraformElement,
  TerraformResource,
  type TerraformResourceConfig,
  TerraformStack,
  Tokenization,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { callerPosition } from "./caller";

/** Where classes compiled by jsii have their full name, such as `cdktf.TerraformStack`. */
const RUNTIME_TYPE = Symbol.for("jsii.rtti");
const STACK = ".TerraformStack";

/** The variable of cdktn, set by `steward synth`. */
const DISABLED = "CDKTN_DISABLE_CREATION_STACK";

/** The module of cdktf and cdktn, which the others call through its exports. */
interface StackTraces {
  captureStackTrace?: () => string[];
}

/**
 * Keeps cdktf from recording a whole stack trace for each token, list and block, which only errors of tokens print, if the
 * variable of cdktn for the same is set. It takes a fifth of a synthesis, and more where a loader maps each trace to sources.
 */
export function omitCreationStacks(stackClass: typeof TerraformStack): void {
  if (!["true", "1"].includes(process.env[DISABLED] ?? "")) return;
  try {
    const traces: StackTraces = require(`${libraryOf(stackClass)}/lib/tokens/private/stack-trace`);
    if (traces.captureStackTrace !== undefined) traces.captureStackTrace = () => [];
  } catch {
    // A library that keeps them elsewhere, or an app in one file: synthesis takes longer, and nothing else changes.
  }
}

export { callerPosition } from "./caller";

// Before the first construct.
omitCreationStacks(TerraformStack);

type Metadata = TerraformElement["constructNodeMetadata"];

/** A resource whose synthesized metadata contains the file and line of its declaration. */
export class PositionedResource extends TerraformResource {
  readonly #position = callerPosition(PositionedResource);

  constructor(scope: Construct, id: string, config: TerraformResourceConfig) {
    super(ownScope(scope, id), id, config);
  }

  override get terraformMetaArguments(): Record<string, unknown> {
    return withoutUndefined(super.terraformMetaArguments);
  }

  override toTerraform(): unknown {
    return withoutUndefined(super.toTerraform());
  }

  protected override get constructNodeMetadata(): Metadata {
    return withPosition(super.constructNodeMetadata, this.#position);
  }
}

/** A data source whose synthesized metadata contains the file and line of its declaration. */
export class PositionedDataSource extends TerraformDataSource {
  readonly #position = callerPosition(PositionedDataSource);

  constructor(scope: Construct, id: string, config: TerraformResourceConfig) {
    super(ownScope(scope, id), id, config);
  }

  protected override get constructNodeMetadata(): Metadata {
    return withPosition(super.constructNodeMetadata, this.#position);
  }
}

/** Changes the new object in place, and adds a text: cdktf resolves tokens in all of it several times, at a price. */
function withPosition(metadata: Metadata, position: string | undefined): Metadata {
  if (position !== undefined) metadata["metadata"].position = position;
  return metadata;
}

/**
 * A copy without properties that are undefined. cdktf drops them as well, but after it has spelled their names anew, and has
 * searched them for tokens each time that it resolves an element.
 */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  // A token may be a plain object.
  if (Tokenization.isResolvable(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) if (one !== undefined) kept[name] = withoutUndefined(one);
  return kept as T;
}

/** Libraries with a package of this provider. A pattern, as packing replaces the name of the library in this text. */
const isPublishedFor = (library: string): boolean => /^cdkt[fn]$/.test(library);

/**
 * Returns the scope, if its stack comes from the library that this package imports. The libraries mark their constructs with the same
 * symbols, so a construct in a stack of another one would only fail at synthesis, with an error that does not name it.
 *
 * @param subject what is used in the stack, for the error
 * @throws Error with the code `wrong_package` if the stack comes from the other library
 */
export function inOwnStack<S extends IConstruct>(scope: S, subject: string): S {
  const stack: IConstruct | undefined = scope.node.scopes.findLast((one) => TerraformStack.isStack(one));
  const own = libraryOf(TerraformStack);
  const other = stack === undefined ? own : libraryOf(stack.constructor);
  if (stack === undefined || other === undefined || other === own || !isPublishedFor(other)) return scope;
  throw Object.assign(
    new Error(
      `${subject} is for stacks of ${own}, but its stack "${stack.node.path}" is a TerraformStack of ${other}, which can't synthesize ` +
        `it. Install ${other}-provider-steward and import from "${other}-provider-steward", or import App and TerraformStack ` +
        `from "${own}".`,
    ),
    { code: "wrong_package" },
  );
}

/** Like `inOwnStack`, for the scope of a new construct. */
export const ownScope = (scope: Construct, id: string): Construct =>
  inOwnStack(scope, `[${[scope.node.path, id].filter((part) => part !== "").join("/")}]`);

/** The library that a class of stacks comes from: apps extend its TerraformStack. */
function libraryOf(stackClass: unknown): string | undefined {
  for (let one = stackClass; typeof one === "function"; one = Object.getPrototypeOf(one)) {
    const { fqn } = (one as { readonly [RUNTIME_TYPE]?: { readonly fqn: string } })[RUNTIME_TYPE] ?? {};
    if (fqn?.endsWith(STACK)) return fqn.slice(0, -STACK.length);
  }
  return undefined;
}
