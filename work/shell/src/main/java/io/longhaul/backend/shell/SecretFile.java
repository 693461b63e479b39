// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;

/**
 * A secret for the environment of a command, read from its file at each start of a job. Immutable.
 *
 * @param path the path of a file that only its owner can read
 */
public record SecretFile(Path path) implements Secret {

    private static final EnumSet<PosixFilePermission> OF_OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /**
     * The secret: the text of the file without the line ends at its end.
     *
     * @throws IOException with a sentence for the operator, where the file cannot be read, is empty or no text, or
     *         other users can read or write it
     */
    @Override
    public String read() throws IOException {
        try {
            return checked();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path + " with the secret", e);
        } catch (AccessDeniedException e) {
            throw new IOException("this user may not read the secret in " + path, e);
        }
    }

    private String checked() throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            if (!Collections.disjoint(Files.getPosixFilePermissions(path), OF_OTHERS)) {
                throw new IOException("other users can read or write the secret in " + path + ": chmod 600 " + path);
            }
        }
        String text;
        try {
            text = Files.readString(path);
        } catch (CharacterCodingException e) {
            throw new IOException("the secret in " + path + " is not UTF-8 text", e);
        }
        var secret = text.replaceFirst("(\\r?\\n)+$", "");
        if (secret.isEmpty() || secret.indexOf('\0') >= 0) {
            throw new IOException("the secret in " + path + " is empty, or has the character U+0000");
        }
        return secret;
    }
}
