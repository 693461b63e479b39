// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files and folders of this user alone. Tasks hold what other users of the machine must neither read nor change. A
 * file system without POSIX permissions is taken as it is.
 */
public final class PrivateFiles {

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /**
     * Makes a folder with mode 0700, and those above it that are missing; one that is there must pass
     * {@link #refuseLoose}.
     *
     * @throws IOException with a sentence for the user where other users can write the folder
     */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, attributes(folder, FOLDER));
        refuseLoose(folder);
    }

    /**
     * Refuses a folder that its group or everybody can write: they could put files of their own where ours are
     * expected. The sticky bit does not help, since it forbids only the removal of what is there.
     *
     * @throws IOException with a sentence for the user
     */
    public static void refuseLoose(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return;
        }
        var permissions = Files.getPosixFilePermissions(folder);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("other users can write the folder " + folder
                    + ": forbid it (chmod go-w), or use a folder in it that is this user's alone");
        }
    }

    /**
     * Makes an empty file with mode 0600 where there is none, else {@link #tighten tightens} it.
     *
     * @throws IOException with a sentence for the user where it is a symbolic link, or of another user
     */
    public static void createFile(Path file) throws IOException {
        try {
            Files.createFile(file, attributes(file, FILE));
        } catch (FileAlreadyExistsException e) {
            tighten(file);
        }
    }

    /**
     * Takes the rights to a file that is there from all other users.
     *
     * @throws IOException with a sentence for the user where it is a symbolic link, or of another user
     */
    public static void tighten(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new IOException(file + " is a symbolic link, and no link is followed there: remove the link");
        }
        if (!isPosix(file)) {
            return;
        }
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        var permissions = view.readAttributes().permissions();
        var own = EnumSet.noneOf(PosixFilePermission.class);
        own.addAll(permissions);
        own.retainAll(FOLDER);
        if (own.size() == permissions.size()) {
            return;
        }
        try {
            view.setPermissions(own);
        } catch (IOException e) {
            throw new IOException("other users have rights to " + file + ", and this user may not change that", e);
        }
        LOG.warn("Other users had rights to {} until now; it is this user's alone from here on", file);
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
