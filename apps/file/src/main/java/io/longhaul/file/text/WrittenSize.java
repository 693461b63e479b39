// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.text;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 500}, {@code 64KB} or {@code 64KiB}, {@code 4MB}, {@code 1GB}. */
public final class WrittenSize {
    /** What to write, for error messages. */
    public static final String ADVICE = "Write one such as 64KB or 2MB";

    private static final Pattern SIZE =
            Pattern.compile("([1-9]\\d{0,8})\\s*(?:([KMG])i?)?B?", Pattern.CASE_INSENSITIVE);
    private static final String FACTORS = "KMG";
    private static final int BITS = 10;

    private WrittenSize() {}

    /** The size in bytes, always more than zero, or empty where {@code text} is no size; 1 KB is 1,024 bytes. */
    public static OptionalLong parse(String text) {
        var match = SIZE.matcher(text.strip());
        if (!match.matches()) {
            return OptionalLong.empty();
        }
        int factor = match.group(2) == null
                ? 0
                : 1 + FACTORS.indexOf(Character.toUpperCase(match.group(2).charAt(0)));
        return OptionalLong.of(Long.parseLong(match.group(1)) << factor * BITS);
    }
}
