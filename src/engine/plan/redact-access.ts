import type { AccessHolder, AccessPlace, AccessReport, AccessTarget, NotCounted } from "../../framework";
import type { SensitiveTexts } from "../../text";

/** An access report without sensitive values: a variable may name a container, an object or a person. */
export function redactAccess(report: AccessReport, sensitive: SensitiveTexts | undefined): AccessReport {
  if (sensitive === undefined) return report;
  const redact = (text: string): string => sensitive.redactId(text);
  const target = <T extends AccessTarget>(one: T): T => ({ ...one, name: redact(one.name) });
  const holder = (one: AccessHolder): AccessHolder => ({
    ...target(one),
    ...(one.note !== undefined && { note: redact(one.note) }),
  });
  const side = (one: string | number): string | number => (typeof one === "string" ? redact(one) : one);
  const reason = ({ what, why }: NotCounted): NotCounted => ({ what: redact(what), why: redact(why) });
  const place = (one: AccessPlace): AccessPlace => ({
    ...one,
    container: target(one.container),
    ...(one.target && { target: target(one.target) }),
    abilities: one.abilities.map(({ name, before, after, gains, loses }) => ({
      name,
      before: before.map(holder),
      after: after.map(holder),
      gains: gains.map(holder),
      loses: loses.map(holder),
    })),
    rules: one.rules.map(({ name, before, after }) => ({
      name: redact(name),
      before: side(before),
      after: side(after),
    })),
    notCounted: one.notCounted.map(reason),
  });
  return {
    ...report,
    places: report.places.map(place),
    notCounted: report.notCounted.map(reason),
    ...(report.touched && {
      touched: report.touched.map((one) => ({
        ...target(one),
        ...(one.dependsOn && { dependsOn: one.dependsOn.map(target) }),
      })),
    }),
  };
}
