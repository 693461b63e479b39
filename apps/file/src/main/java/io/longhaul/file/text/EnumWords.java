// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.text;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The words by which people and programs write constants: their names in lower case. */
public final class EnumWords {

    private EnumWords() {}

    public static String of(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    public static <E extends Enum<E>> List<String> all(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(EnumWords::of).toList();
    }

    /** The constant with this word; empty where there is none. */
    public static <E extends Enum<E>> Optional<E> find(Class<E> type, String word) {
        return Stream.of(type.getEnumConstants())
                .filter(one -> of(one).equals(word))
                .findFirst();
    }
}
