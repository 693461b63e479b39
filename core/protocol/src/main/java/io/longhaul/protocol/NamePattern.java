// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.util.List;

/** Patterns of names, in which {@code *} stands for any text. */
public final class NamePattern {

    private NamePattern() {}

    /** Whether a name matches one of these patterns. */
    public static boolean matches(List<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** Without a regular expression, which could take long. */
    private static boolean matches(String pattern, String name) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.equals(name);
        }
        if (!name.startsWith(pattern.substring(0, star))) {
            return false;
        }
        int from = star;
        var parts = pattern.substring(star + 1).split("\\*", -1);
        for (int i = 0; i < parts.length - 1; i++) {
            int found = name.indexOf(parts[i], from);
            if (found < 0) {
                return false;
            }
            from = found + parts[i].length();
        }
        var last = parts[parts.length - 1];
        return name.length() - last.length() >= from && name.endsWith(last);
    }
}
