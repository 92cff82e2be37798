import * as z from "zod/mini";
import type { ResourceAddress } from "../addresses/address";
import type { Expression, Traversal, TypeConstraint } from "../syntax";
import type { ConfigurationFile } from "./files";

/** A configuration: all declarations in the files of a stack, with parsed expressions that are not evaluated yet. */
export interface Configuration {
  /** The folder to which relative paths refer. */
  readonly folder: string;
  /** The parsed files. */
  readonly files: readonly ConfigurationFile[];
  /** The comments (`//`) of the files. */
  readonly comments: readonly unknown[];
  /** The source addresses of providers by local name, such as `steward`. */
  readonly requiredProviders: ReadonlyMap<string, string>;
  /** The version constraints of providers, such as `>= 1.0, < 2.0`, by local name. A provider without a constraint is missing. */
  readonly providerVersions: ReadonlyMap<string, string>;
  readonly backend: Backend | undefined;
  /** The providers, by `name` or `name.alias`. */
  readonly providers: ReadonlyMap<string, ProviderDeclaration>;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  /** Resources and data sources by address, such as `acme_thing.a` or `data.acme_thing.b`. */
  readonly resources: ReadonlyMap<string, ResourceDeclaration>;
  readonly checks: ReadonlyMap<string, CheckDeclaration>;
  readonly imports: readonly ImportDeclaration[];
  readonly moves: readonly MoveDeclaration[];
  /** The fleets, by the name of the local value that contains their members. */
  readonly fleets: ReadonlyMap<string, FleetDeclaration>;
  /** The `removed` blocks, by the address of the removed resource or module. */
  readonly removals: ReadonlyMap<string, RemovalDeclaration>;
}

/** The declarations of a configuration while the files are being loaded. */
export type Loading = {
  -readonly [K in Exclude<keyof Configuration, "folder" | "files">]: Configuration[K] extends ReadonlyMap<
    infer A,
    infer B
  >
    ? Map<A, B>
    : Configuration[K] extends readonly (infer E)[]
      ? E[]
      : Configuration[K];
};

const text = z.optional(z.string());

/**
 * The selection of a fleet's members: all containers of one kind directly in the container `within`, or at any depth if `nested`
 * is true.
 */
const fleetSelection = z.object({
  kind: z.string(),
  within: z.object({ kind: z.string(), name: z.string() }),
  nested: z.boolean(),
  /** The labels for members. Each member has at least one label in this list, unless the list is empty. */
  labels: z.array(z.string()),
  /** Patterns for full paths. A container whose path matches is not a member. */
  except: z.array(z.string()),
  /** Whether a label or a pattern can match nothing. If absent, the plan reports a label or pattern without a match. */
  allow_empty: z.optional(z.literal(true)),
});
export type FleetSelection = z.output<typeof fleetSelection>;

/**
 * A layer of a fleet, with the settings that it sets or excludes (`dropped`). Without a key, a setting covers all objects of its
 * type. Without an attribute, a setting covers all attributes.
 */
const fleetLayer = z.object({
  where: z.string(),
  position: text,
  reason: text,
  owner: text,
  until: text,
  /** Whether the layer can match no member of the fleet. If absent, the plan reports a layer without a member. */
  allow_empty: z.optional(z.literal(true)),
  settings: z.array(
    z.object({
      type: z.string(),
      key: text,
      attribute: text,
      position: text,
      dropped: z.optional(z.literal(true)),
      /**
       * The paths in the list that is the setting's value. A member whose path is in the list gets the list without this path.
       */
      except_own: z.optional(z.array(z.string())),
    }),
  ),
});
export type FleetLayer = z.output<typeof fleetLayer>;

/**
 * A data source that lists the members of a fleet. `attribute` is the name of the attribute with the list. `path` is the name of
 * an element's attribute with its full path. If `label` is set, all elements have this label.
 */
const fleetList = z.object({ source: z.string(), attribute: z.string(), path: z.string(), label: text });
export type FleetList = z.output<typeof fleetList>;

/** A fleet, as the construct `Fleet` writes it into the comment of the stack. */
export const fleetDeclaration = z.object({
  /** The path of the fleet's construct. */
  path: z.string(),
  /** The name of the local value with the paths of the fleet's members, by their keys. */
  members: z.string(),
  /** The treatment of objects that leave the fleet. `keep` leaves these objects on the service, and `reset` destroys them. */
  onLeave: z.enum(["keep", "reset"]),
  /** The selection of the members; undefined if the app itself contains the list of members. */
  selection: z.optional(fleetSelection),
  /** The data sources whose lists contain the fleet's members. */
  lists: z.optional(z.array(fleetList)),
  /** The baseline, which is a layer with an empty path, and all other layers. */
  layers: z.array(fleetLayer),
  /**
   * The names of local values, outputs and checks that report selectors without a match in Terraform. The loader
   * removes these declarations, because Steward itself reports selectors without a match.
   */
  selector_checks: z.optional(z.array(z.string())),
});
export type FleetDeclaration = z.output<typeof fleetDeclaration>;

/**
 * Returns the member of the fleet and the key of the object from an instance key. An instance key is `<member>` or
 * `<member>:<key>`.
 */
export function memberOf(indexKey: string): { readonly member: string; readonly key: string | undefined } {
  const colon = indexKey.indexOf(":");
  return colon === -1
    ? { member: indexKey, key: undefined }
    : { member: indexKey.slice(0, colon), key: indexKey.slice(colon + 1) };
}

/** A `check` block. An assertion that fails causes a warning. */
export interface CheckDeclaration {
  /** The address of the check, such as `check.reachable`. */
  readonly address: string;
  /** The address of the data source in the check; undefined if there is none. Only the check can refer to this data source. */
  readonly data: string | undefined;
  readonly asserts: readonly Condition[];
  readonly construct: string | undefined;
}

/** An `import` block. The block imports one live object into the state, or several objects with `for_each`. */
export interface ImportDeclaration {
  /** The address of the resource, without a key. */
  readonly to: string;
  /** The target in the spelling of the configuration, for messages. */
  readonly target: string;
  /** The key of the instance; undefined if there is none. With `for_each`, the expression can contain `each`. */
  readonly key: Expression | undefined;
  /** The provider's import id; undefined if the attributes of the identity name the object instead. */
  readonly id: Expression | undefined;
  readonly identity: Expression | undefined;
  readonly forEach: Expression | undefined;
}

/** A `moved` block: the old and the new address. If neither address has a key, all instances of a resource move. */
export interface MoveDeclaration {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
}

/** A `removed` block for a resource that is no longer declared. */
export interface RemovalDeclaration {
  /** Whether Steward deletes the object from the service. If false, Steward only removes the object from the state. */
  readonly destroy: boolean;
}

export interface Backend {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The attributes of a block, each with its expression. */
export type Body = ReadonlyMap<string, Expression>;

export interface ProviderDeclaration {
  readonly name: string;
  readonly alias: string | undefined;
  readonly body: Body;
  readonly construct: string | undefined;
}

export interface VariableDeclaration {
  readonly name: string;
  readonly constraint: TypeConstraint;
  /** The type in the spelling of the configuration; undefined if it is omitted. */
  readonly type: string | undefined;
  readonly default: Expression | undefined;
  readonly sensitive: boolean;
  /** Whether states and plans must not contain the value. */
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  readonly validations: readonly Condition[];
  readonly construct: string | undefined;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: Expression;
  readonly sensitive: boolean;
  readonly dependsOn: readonly Traversal[];
  readonly preconditions: readonly Condition[];
  readonly construct: string | undefined;
}

export interface ResourceDeclaration {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly address: string;
  /** The provider of the resource, as a key of the configuration's `providers`. */
  readonly provider: string;
  readonly body: Body;
  /** The block in the configuration, with its meta-arguments; undefined if an attribute in `body` is not a constant. */
  readonly constants: Readonly<Record<string, unknown>> | undefined;
  readonly dependsOn: readonly Traversal[];
  readonly count: Expression | undefined;
  readonly forEach: Expression | undefined;
  readonly lifecycle: Lifecycle;
  /** The address of the check that contains the data source; absent for other data sources. */
  readonly check?: string;
  /** The path of the construct; undefined if the configuration does not contain it. */
  readonly construct: string | undefined;
  /** The file and line in the app, such as `main.ts:26`; absent if the construct did not record them. */
  readonly position?: string;
  /** The fleet of the resource, as a key of the configuration's `fleets`; absent for other resources. */
  readonly fleet?: string;
  /**
   * The part of a member's settings that this resource declares, such as `environments`. The text does not depend on the name of
   * the fleet.
   */
  readonly fleetPart?: string;
}

/** A condition, and the error message if the condition is false. */
export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

/** The `lifecycle` block of a resource. A data source has only conditions. */
export interface Lifecycle {
  readonly preventDestroy: boolean;
  /**
   * Whether a replacement creates the new object before it deletes the old object. If false, a dependent resource can still
   * require this order.
   */
  readonly createBeforeDestroy: boolean;
  /** The paths of ignored attributes within the resource, such as `tags["x"]`, or `all` for every attribute. */
  readonly ignoreChanges: "all" | readonly Traversal[];
  /**
   * References to resources or attributes. If the value of one reference changes, the object is replaced. The indexes in a
   * reference can contain `each.key` and `count.index`.
   */
  readonly replaceTriggeredBy: readonly Expression[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

/** The lifecycle of a resource without a `lifecycle` block. */
export const NO_LIFECYCLE: Lifecycle = {
  preventDestroy: false,
  createBeforeDestroy: false,
  ignoreChanges: [],
  replaceTriggeredBy: [],
  preconditions: [],
  postconditions: [],
};
