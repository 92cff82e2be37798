import { nearest } from "../keys";
import { type Layer, layersOf, Row, settingsIn } from "./layers";
import { PARTS } from "./parts";

/** A setting that a layer excludes with `Fleet.unmanaged`, although no layer above declares this setting. */
export interface EmptyDrop {
  readonly layer: Layer;
  /** The option, key and attribute of the setting in the layer, such as `["protectedEnvironments", "production"]`. */
  readonly path: readonly string[];
  /** The setting that the author probably meant: the most similar name in the layers above. Undefined if no name is similar. */
  readonly near: string | undefined;
}

/**
 * Returns each setting that a layer excludes although no layer above declares it. The name of such a setting is probably
 * mistyped, and the setting that the author meant stays managed.
 */
export function emptyDrops<One extends Layer>(layers: readonly One[]): (EmptyDrop & { layer: One })[] {
  return layers.flatMap((layer) => {
    const above = new Row(layersOf(layer.where, layers).filter((one) => one !== layer));
    return settingsIn(layer).flatMap(({ path, dropped }) => {
      const kind = PARTS.find(({ option }) => option === path[0])!;
      const keys = [...above.keys(kind)];
      if (dropped !== true) return [];
      if (path.length === 1) return keys.length > 0 ? [] : [{ layer, path, near: undefined }];
      const [key, attribute] = kind.isKeyed ? path.slice(1) : ["", path[1]];
      if (!keys.includes(key!)) return [{ layer, path, near: nearest(key!, keys) }];
      const names = above.part(kind, key!)!;
      return attribute === undefined || names.has(attribute) ? [] : [{ layer, path, near: undefined }];
    });
  });
}
