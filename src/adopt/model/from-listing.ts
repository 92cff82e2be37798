import type { LiveContainer, LiveListing, LiveObject, ProviderSchema, Value } from "../../engine";
import type { AdoptedContainer, LiveSettings, Undeclarable } from "./live-settings";
import { isUnicode } from "./source-text";

/** The settings to adopt from what is live. */
export function fromListing(listing: LiveListing, schema: ProviderSchema): LiveSettings {
  const { containers, archived, objects, failures } = listing;
  const byContainer = new Map<LiveContainer, { objects: LiveObject[]; undeclarable: Undeclarable[] }>();
  for (const container of containers) byContainer.set(container, { objects: [], undeclarable: [] });
  for (const object of objects) byContainer.get(object.container)!.objects.push(object);
  for (const { type, container, isRefused, diagnostics } of failures) {
    const why = isRefused
      ? "this token may not list them"
      : diagnostics.map(({ detail }) => clause(detail)).join("; ");
    byContainer.get(container)!.undeclarable.push({ what: `all objects of type ${type}`, why });
  }
  return {
    schema,
    containers: containers.map((container) => adopted(container, byContainer.get(container)!)),
    skipped: archived.map(({ kind, path }) => ({ kind, path, why: "it is archived" })),
  };
}

const adopted = (
  { kind, id, path }: LiveContainer,
  { objects, undeclarable }: { readonly objects: LiveObject[]; readonly undeclarable: Undeclarable[] },
): AdoptedContainer => ({
  kind,
  id,
  path,
  objects: objects
    .filter((object) => whyNot(object) === undefined)
    .map(({ type, id: object, state, defaults, isDefault, decidesAccess = false }) => ({
      type,
      id: object,
      attributes: state.attributes,
      defaults: decidesAccess ? [] : defaults,
      isDefault: isDefault && !decidesAccess,
    })),
  undeclarable: [
    ...undeclarable,
    ...objects.flatMap((object) => {
      const why = whyNot(object);
      return why === undefined ? [] : [{ what: describe(object), why }];
    }),
  ],
});

/** A clause that says why an object can't be declared, if so. */
const whyNot = ({ undeclarable, state }: LiveObject): string | undefined =>
  textsOf(state.attributes).every(isUnicode)
    ? undeclarable && clause(undeclarable)
    : "it contains text that is not valid Unicode";

function textsOf(value: Value): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Such as `protected environment "production"`. */
function describe({ type, label }: LiveObject): string {
  const words = type.slice(type.indexOf("_") + 1).replaceAll("_", " ");
  return label === undefined ? words : `${words} ${JSON.stringify(label)}`;
}

const clause = (sentences: string): string => sentences.replace(/\.$/, "");
