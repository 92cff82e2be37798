import type { AccessReport } from "../../engine";
import type { Style } from "../printing/style";
import { accessLine, accessTotal, byContainer, notCountedLine, quoted } from "./access-lines";

/** Who gains and who loses access, for people. */
export function renderAccess(report: AccessReport, style: Style): string[] {
  const { places, notCounted } = report;
  if (places.length + notCounted.length === 0)
    return [`${style.bold("Access:")} nobody gains or loses access.`];
  const lines = byContainer(places).flatMap(({ container, places: here }) => [
    `  ${style.bold(`${container.kind} ${quoted(container.name)}`)}`,
    ...here.flatMap((place) => {
      const line = accessLine(place, quoted);
      const [first, ...rest] = [...(line.text === "" ? [] : [line.text]), ...line.notCounted];
      return [`    ${first}`, ...rest.map((one) => `      ${one}`)];
    }),
    "",
  ]);
  const general = notCounted.map((one) => `  ${notCountedLine(one, quoted)}`);
  return [
    style.bold("Access changes:"),
    "",
    ...lines,
    ...(general.length > 0 ? [...general, ""] : []),
    `${style.bold("Access:")} ${totalSentence(report)}`,
  ];
}

function totalSentence(report: AccessReport): string {
  const total = accessTotal(report);
  if (total === undefined) return "no total, because not everything is counted.";
  return total === "" ? "no person, project or group gains or loses access." : `${total}.`;
}
