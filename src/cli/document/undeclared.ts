import type { UnmanagedObject } from "../../engine";
import { defined } from "../../json";
import { fieldsOfUndeclared } from "../difference";
import { unmanagedFinding, unmanagedName } from "../findings/finding";
import { manageCommands } from "../findings/manage-commands";
import type { NamedSource } from "../terminal/terminal";
import { describeObject, isTrue } from "./describe";
import type { ReportObject } from "./model";

/** Returns an undeclared live object in the form that reports contain. The address of this object consists of type and id. */
export function describeUnmanaged(object: UnmanagedObject, source?: NamedSource): ReportObject {
  const { type, id, live } = object;
  const identified = {
    address: unmanagedName(object),
    type,
    after: live,
    attributes: object.attributes,
    ...(object.place && { container: object.place }),
    beforeSensitive: [],
    afterSensitive: [],
  };
  return {
    ...describeObject(identified, "unmanaged", fieldsOfUndeclared(object)),
    id,
    container: object.container,
    ...defined({
      undeclared: object.undeclared && [...object.undeclared],
      is_declared: isTrue(object.isDeclared),
      is_container: isTrue(object.isContainer),
      undeclarable: object.undeclarable,
      unlisted: object.unlisted,
    }),
    commands: manageCommands(object, source),
    fingerprint: unmanagedFinding(object).fingerprint(),
  };
}
