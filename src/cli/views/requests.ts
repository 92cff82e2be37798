import type { RehearsedStep } from "../../engine";
import type { Style } from "../printing/style";

/** The requests that an apply would send, by object; sensitive values are masked. */
export function renderRequests(steps: readonly RehearsedStep[], style: Style): string[] {
  const count = steps.reduce((sum, { requests }) => sum + requests.length, 0);
  if (steps.length === 0)
    return [`${style.bold("Requests:")} none; the plan changes nothing on the service.`];
  const isPartial = steps.some(({ why }) => why !== undefined);
  return [
    style.bold("Requests of an apply:"),
    "",
    ...steps.flatMap(({ address, requests, why }) => [
      `  ${style.bold(`# ${address}`)}`,
      ...requests.flatMap(({ method, path, body }) => [
        `  ${method} ${path}`,
        ...(body === undefined ? [] : [`    ${JSON.stringify(body)}`]),
      ]),
      ...(why !== undefined ? [`  not known: ${why}`] : requests.length === 0 ? ["  none"] : []),
      "",
    ]),
    `${style.bold("Requests:")} ${isPartial ? "at least " : ""}${count}.`,
  ];
}
