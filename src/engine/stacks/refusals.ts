import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";
import type { Share } from "../../framework";
import type { ObjectIndex } from "./object-index";
import type { StackObject } from "./stack-objects";

/** An object of the stack that is planned. */
export interface Own {
  readonly address: string;
  readonly construct: string | undefined;
  readonly type: string;
  readonly identity: string;
  /** Whether the state of its stack holds it. */
  readonly isHeld: boolean;
  /** Whether it stays or comes to be; else the plan ends it. */
  readonly isDeclared: boolean;
  /** What it owns, where it is declared, of sets that others may own too; and of which service. */
  readonly shares?: readonly Share[];
  readonly service?: string;
}

/** What keeps a plan from being applied: that another stack declares the same object, or still holds it. */
export function refusals(stack: string, own: Own, other: string, same: readonly StackObject[]): Diagnostic[] {
  if (same.length === 0) return [];
  const declared = same.find(({ source }) => source !== "state");
  const held = same.find(({ source }) => source !== "configuration");
  const text = textOf({ stack, other, own, declared: declared?.address, held: held?.address });
  return text === undefined ? [] : [refusal(own, text)];
}

/** The same for another object of which a part is owned by both, such as a list and one entry of it. */
export function overlaps(stack: string, own: Own, other: string, index: ObjectIndex): Diagnostic[] {
  const found = (own.shares ?? []).flatMap((share) =>
    index
      .owning(own.service, share)
      .filter(({ identity }) => identity !== own.identity)
      .map((object) => ({ object, share })),
  );
  // One diagnostic for a declaration, however many parts it shares.
  const first = new Map([...found].reverse().map((one) => [one.object.address, one]));
  return [...first.values()].map(({ object, share }) => {
    const both = `${objectIn(own.address, stack)} and ${objectIn(object.address, other)}`;
    return refusal(own, {
      summary: "Declared in two stacks",
      detail:
        `${both} both own part of the ${share.place}. Each would undo the other's changes. Keep one of them. The state of the ` +
        `stack that loses its declaration must forget the object, or its next apply removes what the other declares. Where ` +
        `that is "${other}", with this command.`,
      action: forget(other, object.address),
    });
  });
}

function refusal({ address, construct }: Own, text: Text): Diagnostic {
  const place = { address, ...(construct !== undefined && { construct }) };
  return error({ code: "object_of_two_stacks", ...text, ...place });
}

interface Clash {
  readonly stack: string;
  readonly other: string;
  readonly own: Own;
  /** Its address in the other stack's configuration, and in that one's state. */
  readonly declared: string | undefined;
  readonly held: string | undefined;
}

type Text = Pick<Diagnostic, "summary" | "detail" | "action">;

function textOf(clash: Clash): Text | undefined {
  const { own, declared, held } = clash;
  if (!own.isDeclared) return declared === undefined ? undefined : endsElsewhereDeclared(clash, declared);
  if (declared !== undefined) return declaredTwice(clash, declared);
  return held === undefined ? undefined : stillHeld(clash, held);
}

const objectIn = (address: string, stack: string): string => `${address} in the stack "${stack}"`;

function declaredTwice(clash: Clash, declared: string): Text {
  const { stack, other, own } = clash;
  const both =
    `${objectIn(own.address, stack)} and ${objectIn(declared, other)} declare the same object. ` +
    "Each would undo the other's changes.";
  const keep = `Keep one of the two declarations. To keep that of the stack "${stack}"`;
  return {
    summary: "Declared in two stacks",
    detail: `${both} ${keep}, take the other one out${whenToRun(clash)} this command.`,
    action: wayOut(clash, declared),
  };
}

/** How the object gets out of the state of the stack that loses the declaration. */
const wayOut = ({ stack, other, own, held }: Clash, declared: string): DiagnosticAction =>
  own.isHeld && held !== undefined
    ? forget(other, held)
    : move({ from: other, to: stack }, held ?? declared, own.address);

const whenToRun = ({ held }: Clash): string =>
  held === undefined ? "; where the state of that stack holds the object by then, run" : ", and run";

function stillHeld({ stack, other, own }: Clash, held: string): Text {
  const isInBoth = own.isHeld;
  return {
    summary: "Still in the state of another stack",
    detail:
      `${objectIn(own.address, stack)} declares the object that the state of the stack "${other}" holds at ${held}: the next ` +
      `apply of "${other}" would destroy it. ` +
      (isInBoth ? "Both states hold it: let the other one forget it" : "Move it to the state of this stack") +
      " with this command.",
    action: isInBoth ? forget(other, held) : move({ from: other, to: stack }, held, own.address),
  };
}

function endsElsewhereDeclared({ stack, other, own, held }: Clash, declared: string): Text {
  const isInBoth = held !== undefined;
  return {
    summary: "Declared in another stack",
    detail:
      `The plan would destroy ${objectIn(own.address, stack)}, and ${objectIn(declared, other)} declares the same object. ` +
      (isInBoth ? "Both states hold it: let this one forget it" : "Move it to the state of that stack") +
      " with this command.",
    action: isInBoth ? forget(stack, own.address) : move({ from: stack, to: other }, own.address, declared),
  };
}

const forget = (stack: string, address: string): DiagnosticAction => ({ kind: "stateRm", address, stack });

const move = (
  stacks: { readonly from: string; readonly to: string },
  from: string,
  to: string,
): DiagnosticAction => ({ kind: "move", from, to, stacks });
