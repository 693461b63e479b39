// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A picture that stands for something. Shown by clients of 2025-11-25 and newer. Immutable.
 *
 * @param src      an {@code https:} or {@code data:} address of the picture
 * @param mimeType null for what the address says
 * @param sizes    such as {@code 48x48}, or {@code any}; empty for unsaid
 * @param theme    the background that it is made for; null for any
 */
public record Icon(
        String src,
        @Nullable String mimeType,
        List<String> sizes,
        @Nullable Theme theme) {

    /** The background that an icon is made for. */
    public enum Theme {
        LIGHT("light"),
        DARK("dark");

        private final String word;

        Theme(String word) {
            this.word = word;
        }
    }

    /** @throws IllegalArgumentException where {@code src} is no address that a client may load a picture from */
    public Icon {
        if (!src.startsWith("https:") && !src.startsWith("data:") && !src.startsWith("http:")) {
            throw new IllegalArgumentException("the src of an icon must begin with https: or data:, not '" + src + "'");
        }
        sizes = List.copyOf(sizes);
    }

    /** The icon at an address. */
    public static Icon at(String src) {
        return new Icon(src, null, List.of(), null);
    }

    public Icon withMimeType(String type) {
        return new Icon(src, type, sizes, theme);
    }

    public Icon withSizes(String... pixels) {
        return new Icon(src, mimeType, List.of(pixels), theme);
    }

    public Icon withTheme(Theme background) {
        return new Icon(src, mimeType, sizes, background);
    }

    /** Writes them as a member, where there are any. */
    static void write(List<Icon> icons, JsonWriter out) {
        if (icons.isEmpty()) {
            return;
        }
        out.name("icons").beginArray();
        for (Icon icon : icons) {
            out.beginObject().name("src").string(icon.src).optional("mimeType", icon.mimeType);
            if (!icon.sizes.isEmpty()) {
                out.name("sizes").beginArray();
                icon.sizes.forEach(out::string);
                out.endArray();
            }
            out.optional("theme", icon.theme == null ? null : icon.theme.word).endObject();
        }
        out.endArray();
    }
}
