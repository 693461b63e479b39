// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An icon of a server, a tool, a resource or a prompt. Clients of 2025-11-25 and newer show icons. Immutable.
 *
 * @param src      an {@code https:} or {@code data:} address of the picture
 * @param mimeType null for the type that the address states
 * @param sizes    such as {@code 48x48}, or {@code any}; empty for unspecified
 * @param theme    the background that the icon is made for; null for any
 */
public record Icon(
        String src,
        @Nullable String mimeType,
        List<String> sizes,
        @Nullable Theme theme) {

    /** The background that an icon is made for. */
    public enum Theme {
        LIGHT,
        DARK
    }

    /** @throws IllegalArgumentException where a client may not load a picture from {@code src} */
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
}
