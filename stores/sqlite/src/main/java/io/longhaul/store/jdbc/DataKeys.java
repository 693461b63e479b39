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
 * The keys that seal the arguments, answers, output, results and sessions in a store. The first key seals new data;
 * each key opens the data that it has sealed. To rotate keys, put a new key above the old key. Remove the old key when
 * it seals no data any more: at its start a store refuses a set of keys that lacks a needed key.
 *
 * <p>As text, a key is one line: an id of up to 32 letters, digits, dots, dashes and underscores, a blank, and 32 bytes
 * in base64. Empty lines and lines that begin with {@code #} are ignored. Immutable; keys are never printed.
 */
public final class DataKeys {

    private static final int KEY_BYTES = 32;
    private static final Pattern LINE = Pattern.compile("([A-Za-z0-9._-]{1,32})\\s+([A-Za-z0-9+/]{43}=)");

    /** No keys: no data is sealed. */
    public static final DataKeys NONE = new DataKeys(Map.of());

    private final Map<String, byte[]> keys;

    private DataKeys(Map<String, byte[]> keys) {
        this.keys = Collections.unmodifiableMap(keys);
    }

    /**
     * Reads keys from their text.
     *
     * @throws StoreException with a sentence for the operator that contains no part of a key
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
     * @throws StoreException where the file cannot be read, or has other contents
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

    /** A new key as a line of text. */
    public static String generate(String id, SecureRandom random) {
        var key = new byte[KEY_BYTES];
        random.nextBytes(key);
        var line = id + " " + Base64.getEncoder().encodeToString(key);
        parse(line);
        return line;
    }

    /** The bytes of the keys by their ids, the sealing key first; for stores. A caller must not change the arrays. */
    public Map<String, byte[]> bytes() {
        return keys;
    }

    /** Shows the ids of the keys only. */
    @Override
    public String toString() {
        return "DataKeys" + keys.keySet();
    }
}
