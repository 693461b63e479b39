// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The keys that seal what a store holds of arguments, answers, output, results and sessions. The first key seals what
 * is written; each key opens what it has sealed. To rotate, put a new key above the old one, and take the old one away
 * when nothing is sealed with it any more: a store says so at its start.
 *
 * <p>As text, a key is one line: an id of up to 32 letters, digits, dots, dashes and underscores, a blank, and 32 bytes
 * in base64. Empty lines and lines that begin with {@code #} are left out. Immutable; never printed.
 */
public final class DataKeys {

    private static final int KEY_BYTES = 32;
    private static final Pattern LINE = Pattern.compile("([A-Za-z0-9._-]{1,32})\\s+([A-Za-z0-9+/]{43}=)");

    /** No keys: nothing is sealed. */
    public static final DataKeys NONE = new DataKeys(Map.of());

    private final Map<String, byte[]> keys;

    private DataKeys(Map<String, byte[]> keys) {
        this.keys = Collections.unmodifiableMap(keys);
    }

    /**
     * Reads keys from their text.
     *
     * @throws StoreException with a sentence for the operator that repeats nothing of a key
     */
    public static DataKeys parse(String text) {
        var keys = new LinkedHashMap<String, byte[]>();
        int number = 0;
        for (var line : text.lines().toList()) {
            number++;
            var words = line.strip();
            if (words.isEmpty() || words.startsWith("#")) {
                continue;
            }
            var found = LINE.matcher(words);
            if (!found.matches()) {
                throw new StoreException(
                        "line " + number + " of the data keys is no key: each line is an id, a blank and"
                                + " 32 bytes in base64, as longhaul data-key prints");
            }
            if (keys.put(found.group(1), Base64.getDecoder().decode(found.group(2))) != null) {
                throw new StoreException("the data keys have the id " + found.group(1) + " twice: give each its own");
            }
        }
        if (keys.isEmpty()) {
            throw new StoreException("there is no data key: longhaul data-key prints a new one");
        }
        return new DataKeys(keys);
    }

    /**
     * Reads the keys in a file.
     *
     * @throws StoreException where it cannot be read, or holds something else
     */
    public static DataKeys read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new StoreException("the data keys in " + file + " cannot be read: there is no such file", e);
        } catch (IOException e) {
            throw new StoreException("the data keys in " + file + " cannot be read: " + e, e);
        }
    }

    /** A line with a new key. */
    public static String generate(String id, SecureRandom random) {
        var key = new byte[KEY_BYTES];
        random.nextBytes(key);
        var line = id + " " + Base64.getEncoder().encodeToString(key);
        parse(line);
        return line;
    }

    /** The bytes of the keys by their ids, the one that seals first; for stores. Nobody may change them. */
    public Map<String, byte[]> bytes() {
        return keys;
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "DataKeys" + keys.keySet();
    }
}
