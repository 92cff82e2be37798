import { type ExecutablePlan, type OpenStack, objectName, type ResourceChange } from "../../engine";
import type { PlanPlace } from "./changes";

/** Where a stack would be applied: the service of each object's provider configuration. */
export async function placeOfStack(stack: OpenStack, { steps }: ExecutablePlan): Promise<PlanPlace> {
  const services = await stack.services();
  const providers = new Map(
    steps.map(({ change: { address, deposed }, provider }) => [objectName(address, deposed), provider]),
  );
  const serviceOf = ({ address, deposed, provider }: ResourceChange): string =>
    services[providers.get(objectName(address, deposed)) ?? ""] ?? provider;
  return { stack: stack.name, serviceOf };
}
