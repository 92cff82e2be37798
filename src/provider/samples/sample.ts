import type { Value, ValueObject } from "../../schema";

/**
 * A function that sends a request to the service, by default with the owner's token. The function throws if the service
 * refuses the request.
 */
export type Http = (method: string, path: string, body?: unknown, token?: string) => Promise<unknown>;

/** A function that changes an object outside of the provider. `at` is the path of the container, such as `/projects/1`. */
export type ByHand = (http: Http, at: string) => Promise<unknown>;

/** A declaration that a documentation page shows. */
export interface Example {
  /** The id of the construct; plans show the object as `<type>.<id>`. */
  readonly id: string;
  readonly config: ValueObject;
}

/**
 * The data that test suites and documentation pages need for one resource. `NAME.sample.ts` next to `NAME.ts` exports
 * these data as `sample`. Paths and names refer to the fixture in `company.ts`.
 */
export interface Sample {
  /** The declaration that the resource's documentation page and example app show. */
  readonly example: Example;
  /** A declaration with a value for every attribute. */
  readonly config: ValueObject;
  /** Another value for each attribute that can be declared. */
  readonly variations: Readonly<Record<string, Value>>;
  /**
   * For each attribute: the other attributes that must change at the same time. For example, only one of two attributes
   * may be declared.
   */
  readonly together?: Readonly<Record<string, ValueObject>>;
  /**
   * For each attribute that does not identify the object: a function that changes the attribute outside of the
   * provider.
   */
  readonly byHand: Readonly<Record<string, ByHand>>;
  /** A function that deletes the object outside of the provider, or the reason why this is impossible. */
  readonly deleteByHand: ByHand | { readonly impossible: string };
  /** The service's responses after the object was destroyed, by the path below the container. */
  readonly leaves: Readonly<Record<string, object>>;
  /** The import id of the object, if the test has created no other object. */
  readonly id: string;
  /** The attributes that identify the object. */
  readonly identity: readonly string[];
  /**
   * The feature that the resource needs. `name` is the name of the feature in messages. `routes` are the endpoints
   * below the container that respond 404 if the feature is disabled.
   */
  readonly feature: { readonly name: string; readonly routes: readonly string[] };
  /**
   * The first write of a create, of a destroy, and of an update. The update uses all variations that do not replace
   * the object.
   */
  readonly writes: {
    readonly create: Write;
    /** The number of writes that one create sends. */
    readonly requestsOfCreate: number;
    readonly update: Write | NoWrite;
    readonly destroy: Write | NoWrite;
  };
  /**
   * The token that applies the sample, if the Maintainer role is not enough. Plans always use the
   * maintainer's token.
   */
  readonly appliedBy?: string;
  /** The number of reads before the first write of a create. */
  readonly looksBeforeCreate: number;
  /** The objects for tests with many objects: many in one container, or one in each container. */
  readonly many: Entries | OneEach;
  /** The test data to add to other containers than `acme/web`. */
  readonly container?: object;
  /** The allowed values of string attributes with few values. Random declarations choose from these values. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** The titles of the shared tests that do not apply to this resource, each with the reason. */
  readonly exempt?: Readonly<Record<string, string>>;
  /**
   * True if the live platform differs from the specification of this resource. The suite then also runs with these
   * differences.
   */
  readonly hasHabits?: true;
}

/** The first write of a create, update or destroy. */
export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly route: string;
}

/** The reason why an update or a destroy sends no request. */
export interface NoWrite {
  readonly none: string;
}

/** Objects for tests with many objects in one container. The objects refer to the `CROWD` of the fixture. */
export interface Entries {
  /** Returns a declaration of the object at an index, without its container. */
  config(index: number): ValueObject;
  /** Returns the key in the object's id. `number` is the id that the service assigned, if it assigns ids. */
  key(index: number, number: number): string;
  /**
   * Returns the path and the body of the POST that creates the object at an index, outside of the provider. The path is
   * below the container.
   */
  make(index: number): readonly [path: string, body: object];
  /**
   * Returns the test data of a container with `count` objects. Without this function, the suite creates the
   * objects one by one with POST.
   */
  fixture?(count: number): object;
  /** The endpoint below the container that lists the objects. */
  readonly list: string;
  /** The endpoint of a single object, as the request log shows it. Absent if the API has only the list. */
  readonly single?: string;
  /** Returns the number of requests that read a list of `count` objects. */
  pages(count: number): number;
}

/** An object that every container has exactly once. */
export interface OneEach {
  /** A declaration that is valid in every container. The declaration does not contain the container. */
  readonly config: ValueObject;
  /** The endpoints below the container that a plan reads. A plan reads each endpoint once. */
  readonly reads: readonly string[];
}

export const isSent = (write: Write | NoWrite): write is Write => !("none" in write);

export const isEntries = (many: Sample["many"]): many is Entries => "list" in many;

/** Returns the number of pages of a list with 100 records per page. */
export const inPages = (count: number): number => Math.ceil(count / 100);

/**
 * Returns the sample's declaration with other values for one attribute and for the attributes that must change with
 * it.
 */
export const varied = ({ config, variations, together }: Sample, name: string): ValueObject => ({
  ...config,
  ...together?.[name],
  [name]: variations[name]!,
});

/** The sample data for one data source, in `data-sources.ts`. */
export interface DataSample {
  readonly example: Example;
  /**
   * Arguments that find at least one record in each list. `acme/web` and `acme/platform` have one object of
   * each kind.
   */
  readonly config: ValueObject;
  /**
   * The resource that reads the same list as the data source, and the numbers of requests for their first and second
   * read in one run. `none` is the reason why no resource reads the same list.
   */
  readonly shared: Shared | { readonly none: string };
  /** Whether the endpoint is missing in the specification. */
  readonly isUnspecified?: true;
}

export interface Shared {
  readonly resource: string;
  readonly first: number;
  readonly again: number;
}

/**
 * The numbers of requests if a data source and a resource read the same list in one run: the second read needs no
 * request.
 */
export const ONE_LIST = { first: 1, again: 0 } as const;

/** The value of `shared` for a data source whose objects can't be managed by a resource. */
export const NOTHING_DECLARED = { none: "no resource manages what it shows" } as const;
