import type { LiveContainer, LiveListing, LiveObject, ProviderSchema } from "../../engine";
import type { AdoptedContainer, LiveSettings, Undeclarable } from "./live-settings";

/** The settings to adopt from what is live. */
export function fromListing(listing: LiveListing, schema: ProviderSchema): LiveSettings {
  const { containers, archived, objects, failures } = listing;
  const byContainer = new Map<LiveContainer, { objects: LiveObject[]; undeclarable: Undeclarable[] }>();
  for (const container of containers) byContainer.set(container, { objects: [], undeclarable: [] });
  for (const object of objects) byContainer.get(object.container)!.objects.push(object);
  for (const { type, container, diagnostics } of failures) {
    const why = diagnostics.map(({ detail }) => clause(detail)).join("; ");
    byContainer.get(container)!.undeclarable.push({ what: `all of type ${type}`, why });
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
    .filter((object) => object.undeclarable === undefined)
    .map(({ type, id: object, state, defaults, isDefault }) => ({
      type,
      id: object,
      attributes: state.attributes,
      defaults,
      isDefault,
    })),
  undeclarable: [
    ...undeclarable,
    ...objects.flatMap((object) =>
      object.undeclarable === undefined ? [] : [{ what: describe(object), why: clause(object.undeclarable) }],
    ),
  ],
});

/** Such as `protected environment "production"`. */
function describe({ type, label }: LiveObject): string {
  const words = type.slice(type.indexOf("_") + 1).replaceAll("_", " ");
  return label === undefined ? words : `${words} ${JSON.stringify(label)}`;
}

const clause = (sentences: string): string => sentences.replace(/\.$/, "");
