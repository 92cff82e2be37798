// Records the file and line of each construct from the call stack, and checks that an app uses one cdktf library. The app's
// source code is not parsed.

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
import { currentRow } from "./rows";

/**
 * The property of a class that jsii compiled. The value of the property contains the full name of the class, such as
 * `cdktf.TerraformStack`.
 */
const RUNTIME_TYPE = Symbol.for("jsii.rtti");
const STACK = ".TerraformStack";

/** The environment variable that disables stack traces in cdktn. `steward synth` sets this variable. */
const DISABLED = "CDKTN_DISABLE_CREATION_STACK";

/**
 * The module of cdktf or cdktn that records stack traces. Other modules of the library call the exported function through this
 * object, so the function can be replaced.
 */
interface StackTraces {
  captureStackTrace?: () => string[];
}

/**
 * Stops cdktf from recording a stack trace for each token, list and block, if the variable `DISABLED` is set. Recording takes a
 * fifth of a synthesis, or more if a loader maps traces to sources. Only errors about tokens print these traces.
 */
export function omitCreationStacks(stackClass: typeof TerraformStack): void {
  if (!["true", "1"].includes(process.env[DISABLED] ?? "")) return;
  try {
    const traces: StackTraces = require(`${libraryOf(stackClass)}/lib/tokens/private/stack-trace`);
    if (traces.captureStackTrace !== undefined) traces.captureStackTrace = () => [];
  } catch {
    // The library has no such module, or the app is bundled into one file. Synthesis then works, but takes longer.
  }
}

export { callerPosition } from "./caller";
export { enterRow, recordRow, rowOf } from "./rows";

// This call must run before the first construct exists, so it runs when this module is loaded.
omitCreationStacks(TerraformStack);

type Metadata = TerraformElement["constructNodeMetadata"];

/** A resource whose synthesized metadata contains the file and line of its declaration. */
export class PositionedResource extends TerraformResource {
  readonly #position = currentRow() ?? callerPosition(PositionedResource);

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

/**
 * Adds the position to the metadata of a construct, and returns the changed object. Returning a copy or a token would take
 * longer, because cdktf resolves metadata several times.
 */
function withPosition(metadata: Metadata, position: string | undefined): Metadata {
  if (position !== undefined) metadata["metadata"].position = position;
  return metadata;
}

/**
 * Returns a copy of a value without undefined properties. The library would also drop undefined properties, but later. Each time
 * the library resolves an element, it first converts all names and searches them for tokens.
 */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  // A token is returned unchanged, although it can look like a plain object.
  if (Tokenization.isResolvable(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) if (one !== undefined) kept[name] = withoutUndefined(one);
  return kept as T;
}

/**
 * Returns whether a package of this provider exists for a library. The pattern does not contain a library's full name, because
 * packing replaces such names in the code.
 */
const isPublishedFor = (library: string): boolean => /^cdkt[fn]$/.test(library);

/**
 * Returns the scope, if its stack comes from the library that this package imports: cdktf or cdktn. Each library accepts
 * constructs of the other. Without this check, a construct of the other library would fail only at synthesis, with an error
 * that does not name the construct.
 *
 * @param subject the name of the construct, for the error
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

/** Returns the scope of a new construct, after the check by `inOwnStack`. */
export const ownScope = (scope: Construct, id: string): Construct =>
  inOwnStack(scope, `[${[scope.node.path, id].filter((part) => part !== "").join("/")}]`);

/** Returns the name of the library whose TerraformStack is the base class of a stack; undefined if there is none. */
function libraryOf(stackClass: unknown): string | undefined {
  for (let one = stackClass; typeof one === "function"; one = Object.getPrototypeOf(one)) {
    const { fqn } = (one as { readonly [RUNTIME_TYPE]?: { readonly fqn: string } })[RUNTIME_TYPE] ?? {};
    if (fqn?.endsWith(STACK)) return fqn.slice(0, -STACK.length);
  }
  return undefined;
}
