// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.audit;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.protocol.BoundedMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns ids and names into marks by a keyed hash: the same text gives the same mark. Without the key, the text of a
 * mark cannot be found by guessing. Thread-safe.
 */
final class AuditKey {

    /** The name of the key file in the data folder. */
    static final String FILE = "audit.key";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;
    private static final int SHOWN = 8;
    private static final int OWNERS = 1_000;

    private final Mac keyed;

    /** The marks of the owners with the latest lines: an owner has many lines. */
    private final Map<String, String> owners = BoundedMap.byUse(OWNERS);

    private AuditKey(byte[] key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The key of a data folder; created where there is none. */
    static AuditKey in(Path folder) throws IOException {
        var file = folder.resolve(FILE);
        if (!Files.exists(file) || Files.size(file) == 0) {
            var fresh = new byte[BYTES];
            new SecureRandom().nextBytes(fresh);
            PrivateFiles.createFile(file);
            Files.writeString(file, Base64.getEncoder().encodeToString(fresh) + "\n");
        }
        return read(folder);
    }

    /**
     * The key of a data folder.
     *
     * @throws IOException with words for the user where there is no valid key
     */
    static AuditKey read(Path folder) throws IOException {
        var file = folder.resolve(FILE);
        try {
            var bytes = Base64.getDecoder().decode(Files.readString(file).strip());
            if (bytes.length < BYTES) {
                throw new IllegalArgumentException("too short");
            }
            return new AuditKey(bytes);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no " + file + ": no server has written an audit log with this folder", e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " holds no key: remove the file, and a new key is made", e);
        }
    }

    String task(String id) {
        return mark("task:" + id);
    }

    synchronized String owner(String name) {
        return owners.computeIfAbsent(name, one -> mark("owner:" + one));
    }

    private synchronized String mark(String text) {
        return HexFormat.of().formatHex(keyed.doFinal(text.getBytes(StandardCharsets.UTF_8)), 0, SHOWN);
    }
}
