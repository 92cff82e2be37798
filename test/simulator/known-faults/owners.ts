import { declarationsOf } from "../world/app";
import { identityOf } from "../world/objects";
import type { World } from "../world/world";

/** Who declared an object, or a set that it is part of, in any version of the app. */
export interface Owners {
  readonly stacks: ReadonlySet<string>;
  readonly configurations: ReadonlySet<boolean>;
  readonly kinds: ReadonlySet<string>;
  readonly spellings: ReadonlySet<string>;
}

export function ownersOf(world: World, identity: string): Owners {
  const [, at] = identity.split(" ");
  const isInSet = /^(entry|group_entry|list) /.test(identity);
  const concerns = (one: { readonly kind: string; readonly at: string }) =>
    one.at === at && /^(entry|group_entry|list)$/.test(one.kind);
  const found = [...world.runs.map(({ app }) => app), world.app].flatMap((app) =>
    app.stacks.flatMap((stack) =>
      declarationsOf({ stacks: [stack] })
        .filter((one) => identityOf(one) === identity || (isInSet && concerns(one)))
        .map((one) => ({
          stack: stack.name,
          second: one.second === true,
          kind: one.kind,
          spelling: one.spelling,
        })),
    ),
  );
  return {
    stacks: new Set(found.map(({ stack }) => stack)),
    configurations: new Set(found.map(({ second }) => second)),
    kinds: new Set(found.map(({ kind }) => kind)),
    spellings: new Set(found.map(({ spelling }) => spelling)),
  };
}
