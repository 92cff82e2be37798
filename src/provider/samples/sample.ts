import type { Value, ValueObject } from "../../schema";

/** Sends a request to the service with the owner's token, or another; throws if it is refused. */
export type Http = (method: string, path: string, body?: unknown, token?: string) => Promise<unknown>;

/** Changes an object outside of the provider; `at` is the path of the container, such as `/projects/1`. */
export type ByHand = (http: Http, at: string) => Promise<unknown>;

/** A declaration to show on a page. */
export interface Example {
  /** The id of the construct; plans show the object as `<type>.<id>`. */
  readonly id: string;
  readonly config: ValueObject;
}

/**
 * The data that suites and pages need for one resource. `NAME.sample.ts` next to `NAME.ts` exports it as `sample`.
 * Paths and names refer to the fixture in `company.ts`.
 */
export interface Sample {
  /** For the page and the example app of the resource. */
  readonly example: Example;
  /** A declaration with a value for every attribute. */
  readonly config: ValueObject;
  /** Another value for each attribute that can be declared. */
  readonly variations: Readonly<Record<string, Value>>;
  /** Attributes that change together with one, because only one of them may be declared. */
  readonly together?: Readonly<Record<string, ValueObject>>;
  /** Changes each attribute that is not the object's identity. */
  readonly byHand: Readonly<Record<string, ByHand>>;
  /** Deletes the object outside of the provider, or the reason why that is impossible. */
  readonly deleteByHand: ByHand | { readonly impossible: string };
  /** The service's responses after the object was destroyed, by the path below the container. */
  readonly leaves: Readonly<Record<string, object>>;
  /** The import id of the object if nothing else was created before. */
  readonly id: string;
  /** The attributes that are the object's identity. */
  readonly identity: readonly string[];
  /** The feature whose endpoints respond 404 when it is disabled: its name in messages, and the endpoints below the container. */
  readonly feature: { readonly name: string; readonly routes: readonly string[] };
  /** The first write of each step: from `config` to nothing, and to `config` with all variations that don't replace. */
  readonly writes: {
    readonly create: Write;
    /** The number of these writes per create. */
    readonly requestsOfCreate: number;
    readonly update: Write | NoWrite;
    readonly destroy: Write | NoWrite;
  };
  /** The token that applies it, if the Maintainer role is not enough. Plans use the maintainer's token nevertheless. */
  readonly appliedBy?: string;
  /** The number of reads before the first write of a create. */
  readonly looksBeforeCreate: number;
  /** Many objects in one container, or one object per container. */
  readonly many: Entries | OneEach;
  /** Additional fixture data of the container, if the container is not `acme/web`. */
  readonly container?: object;
  /** The allowed values of string attributes that accept only a few; random declarations choose among them. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** Tests that do not apply, by title, each with the reason. */
  readonly exempt?: Readonly<Record<string, string>>;
  /** Whether the live platform deviates from the specification: the suite then also runs with those deviations. */
  readonly hasHabits?: true;
}

/** The first write of a create, update or destroy. */
export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly route: string;
}

/** A step that sends nothing, and why. */
export interface NoWrite {
  readonly none: string;
}

/** Objects that a container holds many of. They refer to the `CROWD` of the fixture. */
export interface Entries {
  /** Declares the object at an index, without its container. */
  config(index: number): ValueObject;
  /** The key in the object's id; `number` is the id that the service assigned, if it assigns one. */
  key(index: number, number: number): string;
  /** Creates the object at an index outside of the provider: a path below the container, and the body of the POST. */
  make(index: number): readonly [path: string, body: object];
  /** Fixture data of the container with `count` objects; if absent, they are posted one by one. */
  fixture?(count: number): object;
  /** The endpoint of their list, below the container. */
  readonly list: string;
  /** The endpoint of a single object, in the form of the request log; absent if the API only has the list. */
  readonly single?: string;
  /** The number of requests that read a list of `count` objects. */
  pages(count: number): number;
}

/** An object that every container has once. */
export interface OneEach {
  /** A declaration without the container that is valid in every container. */
  readonly config: ValueObject;
  /** The endpoints below the container that a plan reads, once each. */
  readonly reads: readonly string[];
}

export const isSent = (write: Write | NoWrite): write is Write => !("none" in write);

export const isEntries = (many: Sample["many"]): many is Entries => "list" in many;

/** The number of pages of a list with 100 records per page. */
export const inPages = (count: number): number => Math.ceil(count / 100);

/** Returns the declaration with one attribute changed, together with the attributes that depend on it. */
export const varied = ({ config, variations, together }: Sample, name: string): ValueObject => ({
  ...config,
  ...together?.[name],
  [name]: variations[name]!,
});

/** The data for a data source, in `data-sources.ts`. */
export interface DataSample {
  readonly example: Example;
  /** Arguments that find at least one record per list, given that `acme/web` and `acme/platform` have one of each kind. */
  readonly config: ValueObject;
  /** The resource that reads the same list, with the requests of reading both in one run and again; or why there is none. */
  readonly shared: Shared | { readonly none: string };
  /** Whether the specification does not list the endpoint that it reads. */
  readonly isUnspecified?: true;
}

export interface Shared {
  readonly resource: string;
  readonly first: number;
  readonly again: number;
}

/** The requests for a list that a data source and a resource read in one run. */
export const ONE_LIST = { first: 1, again: 0 } as const;

/** The declaration for data sources whose objects no resource manages. */
export const NOTHING_DECLARED = { none: "no resource manages what it shows" } as const;
