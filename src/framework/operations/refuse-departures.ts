import { type Diagnostic, error, formatCommand } from "../../diagnostics";
import type { Value } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { Meeting } from "../ownership/departures";
import { type Host, removedBlock } from "../protocol/hosts";
import type { StoredState } from "../protocol/protocol";
import type { Session } from "./session";
import { sharesOf } from "./shares-of";

/**
 * Notes that a plan destroys an object, and refuses it where the plan declares the same one as well. Hosts that find
 * moves by themselves are not refused anything.
 */
export async function refuseToLeave(
  definition: ResourceDefinition,
  session: Session,
  prior: StoredState,
  isReplaced: boolean,
): Promise<readonly Diagnostic[]> {
  if (session.host.findsMoves) return [];
  const object = String(prior.attributes["id"]);
  const leaving = { type: session.typeOf(definition), object, isImported: false, isReplaced };
  const shares = await sharesOf(definition, session, prior, "takes");
  // What this very run has made of it is for the deletion to see: it sends nothing.
  if (shares.some((share) => session.holdings.stays(share, leaving))) return [];
  return refusalsOf(session, session.departures.leave(leaving, shares));
}

/** Notes what a plan declares, and refuses it where the plan destroys the same object as well. */
export async function refuseToDeclare(
  definition: ResourceDefinition,
  session: Session,
  planned: StoredState,
  object: Value | undefined,
): Promise<readonly Diagnostic[]> {
  if (session.host.findsMoves) return [];
  const isImported = session.imported.has(`${definition.type} ${String(object)}`);
  const declared = { type: session.typeOf(definition), object: object?.toString(), isImported };
  const shares = await sharesOf(definition, session, planned, "has");
  return refusalsOf(session, session.departures.declare(declared, shares));
}

const refusalsOf = ({ host }: Session, meeting: Meeting | undefined): readonly Diagnostic[] =>
  meeting === undefined
    ? []
    : [
        error({
          code: "destroyed_and_declared",
          summary: "Destroyed and declared in one plan",
          detail: [whatOf(meeting), "", ...wayOut(meeting, host), ""],
        }),
      ];

const whatOf = ({ leaving, declared }: Meeting): string =>
  `The plan destroys ${leaving.type} "${leaving.object}"` +
  (leaving.isReplaced ? ", to replace it," : "") +
  (leaving.type === declared.type
    ? " at one address and declares it at another. Destroying it would take away what stays declared."
    : `, and a ${declared.type} declares what belongs to it. Destroying it would take that away.`);

function wayOut({ leaving, declared }: Meeting, { dropCommand, importCommand }: Host): string[] {
  const { type } = leaving;
  const isHeldTwice = leaving.object === declared.object && !declared.isImported;
  if (leaving.type === declared.type && !isHeldTwice) {
    return [
      `Where it only has another address now, say so with a moved block${declared.isImported ? " in the place of the import" : ""}:`,
      "",
      "moved {",
      `  from = ${type}.OLD`,
      `  to   = ${type}.NEW`,
      "}",
      "",
      "With cdktf:",
      "",
      `  resource.moveFromId("${type}.OLD")`,
      "",
      "Where elements of a count list have shifted, declare them by for_each, with a moved block for each; or move each by " +
        "`terraform state mv`, first the one that leaves. To destroy everything all the same:",
      "",
      "  terraform destroy -refresh=false",
    ];
  }
  const isOfOneType = leaving.type === declared.type;
  const drop = (address: string) => `  ${formatCommand({ name: dropCommand, address })}`;
  const bringBack = { name: importCommand, address: `${type}.NAME`, args: [String(leaving.object)] };
  return [
    isOfOneType
      ? "The state holds it twice. Let go of the address that leaves, and keep the object:"
      : `Let go of the ${type}, and keep on the service what it has made:`,
    "",
    ...removedBlock(`${type}.OLD`),
    "",
    "With cdktf:",
    "",
    `  stack.addOverride("removed", [{ from: "${type}.OLD", lifecycle: { destroy: false } }])`,
    "",
    "For one instance of several:",
    "",
    drop(`${type}.OLD[0]`),
    ...(isOfOneType
      ? [
          "",
          "For a deposed object and the present one of the same address:",
          "",
          drop(`${type}.NAME`),
          `  ${formatCommand(bringBack)}`,
        ]
      : []),
  ];
}
