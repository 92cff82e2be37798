import type { Edit } from "../story/story";
import { type App, addressOf, type Declaration, type DeclaredStack, declarationsOf } from "./app";
import type { GroupName, ProjectName } from "./company";
import { CONTENTS, entriesOf, identityOf, KEYS } from "./objects";

/** Returns the app after an edit. Returns the app unchanged if the edit does not fit it. */
export function edited(app: App, edit: Edit): App {
  switch (edit.edit) {
    case "declare":
      return findByName(app, edit.declaration.name) ? app : added(app, edit.stack, [edit.declaration]);
    case "drop":
      return changed(app, edit.name, () => undefined);
    case "empty":
      return emptied(app, edit.name);
    case "release":
      return released(app, edit.name);
    case "content":
      return changed(app, edit.name, (one) => ({ ...one, content: edit.content }));
    case "retarget":
      return changed(app, edit.name, (one) => ({ ...one, key: keyOf(one, edit.key) }));
    case "rename":
      return renamed(app, edit.name, edit.to, edit.hasBlock);
    case "restack": {
      const found = findByName(app, edit.name);
      return found === undefined
        ? app
        : added(
            changed(app, edit.name, () => undefined),
            edit.stack,
            [found],
          );
    }
    case "respell":
      return changed(app, edit.name, (one) => ({ ...one, spelling: edit.spelling }));
    case "reconfigure":
      return changed(app, edit.name, (one) => ({ ...one, second: one.second !== true }));
    case "protect":
      return changed(app, edit.name, (one) => ({ ...one, preventDestroy: one.preventDestroy !== true }));
    case "import":
      return changed(app, edit.name, (one) => ({
        ...one,
        isImported: true,
        ...(edit.id !== undefined && { importId: edit.id }),
      }));
    case "whole":
      return toWhole(app, edit.at as ProjectName, edit.stack, edit.second);
    case "single":
      return toSingle(app, edit.at as ProjectName, edit.stack, edit.second);
  }
}

const keyOf = ({ kind }: Declaration, index: number): string => KEYS[kind][index % KEYS[kind].length]!;

export const findByName = (app: App, name: string): Declaration | undefined =>
  declarationsOf(app).find((one) => one.name === name);

const added = ({ stacks, ...app }: App, name: string, declarations: readonly Declaration[]): App => ({
  ...app,
  stacks: stacks.map((stack) =>
    stack.name === name ? { ...stack, declarations: [...stack.declarations, ...declarations] } : stack,
  ),
});

function changed(
  { stacks, ...app }: App,
  name: string,
  change: (declaration: Declaration, stack: DeclaredStack) => Declaration | undefined,
): App {
  return {
    ...app,
    stacks: stacks.map((stack) => ({
      ...stack,
      declarations: stack.declarations.flatMap((one) =>
        one.name === name ? (change(one, stack) ?? []) : one,
      ),
    })),
  };
}

function emptied(app: App, name: string): App {
  const found = findByName(app, name);
  if (found === undefined) return app;
  const { stacks, ...next } = changed(app, name, () => undefined);
  const hasIt = ({ declarations }: DeclaredStack) => declarations.some((one) => one.name === name);
  return {
    ...next,
    stacks: stacks.map((stack, at) =>
      hasIt(app.stacks[at]!) ? { ...stack, empty: [...(stack.empty ?? []), found] } : stack,
    ),
  };
}

function released(app: App, name: string): App {
  if (name.includes(".")) return releasedAt(app, name);
  const { stacks, ...next } = changed(app, name, () => undefined);
  const hasIt = ({ declarations }: DeclaredStack) => declarations.find((one) => one.name === name);
  return {
    ...next,
    stacks: stacks.map((stack, at) => {
      const gone = hasIt(app.stacks[at]!);
      return gone === undefined
        ? stack
        : { ...stack, released: [...(stack.released ?? []), addressOf(gone)] };
    }),
  };
}

/**
 * Adds a `removed` block for an address to the first stack. The function is used under Terraform, where an app has one
 * stack.
 */
const releasedAt = ({ stacks: [stack], ...app }: App, address: string): App => ({
  ...app,
  stacks: [{ ...stack!, released: [...(stack!.released ?? []), address] }],
});

function renamed(app: App, name: string, to: string, hasBlock: boolean): App {
  const found = findByName(app, name);
  if (found === undefined || findByName(app, to) !== undefined) return app;
  const next = changed(app, name, (one) => ({ ...one, name: to }));
  if (!hasBlock) return next;
  return {
    ...next,
    stacks: next.stacks.map((stack) =>
      stack.declarations.some((one) => one.name === to)
        ? { ...stack, moved: [...stack.moved, [addressOf(found), addressOf({ ...found, name: to })]] }
        : stack,
    ),
  };
}

const isEntryAt = (at: string) => (one: Declaration) =>
  one.at === at && (one.kind === "entry" || one.kind === "group_entry");

const without = ({ stacks, ...app }: App, isGone: (one: Declaration) => boolean): App => ({
  ...app,
  stacks: stacks.map((stack) => ({
    ...stack,
    declarations: stack.declarations.filter((one) => !isGone(one)),
  })),
});

const nameOf = (what: string, at: string, key: string, stack: string): string =>
  `${what}_${at}_${key}_${stack}`.replace(/_+/g, "_");

function toWhole(app: App, at: ProjectName, stack: string, second = false): App {
  const entries = declarationsOf(app).filter(isEntryAt(at));
  if (entries.length === 0) return app;
  const keys = new Set<string>(entries.map(({ key }) => key));
  const content = Array.from({ length: CONTENTS }, (_, one) => one).find((one) => {
    const { projects, groups } = entriesOf({ content: one });
    return (
      [...projects, ...groups].every((key) => keys.has(key)) && projects.length + groups.length === keys.size
    );
  });
  if (content === undefined) return app;
  const whole: Declaration = {
    kind: "list",
    at,
    key: "",
    content,
    name: nameOf("whole", at, "", stack),
    spelling: "path",
    ...(second && { second }),
  };
  // Also removes an earlier whole list with the same name in this stack, because the new list gets its address.
  const isReplaced = isEntryAt(at);
  return added(
    without(app, (one) => isReplaced(one) || one.name === whole.name),
    stack,
    [whole],
  );
}

function toSingle(app: App, at: ProjectName, stack: string, second = false): App {
  const list = declarationsOf(app).find((one) => one.kind === "list" && one.at === at);
  if (list === undefined) return app;
  const { projects, groups } = entriesOf(list);
  const one = (kind: "entry" | "group_entry", key: ProjectName | GroupName): Declaration => ({
    kind,
    at,
    key,
    content: 0,
    name: nameOf("one", at, key, stack),
    spelling: "path",
    ...(second && { second }),
  });
  return added(
    without(app, (declared) => identityOf(declared) === identityOf(list)),
    stack,
    [...projects.map((key) => one("entry", key)), ...groups.map((key) => one("group_entry", key))],
  );
}
