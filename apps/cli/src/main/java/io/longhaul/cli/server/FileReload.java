// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.FileChange;
import io.longhaul.file.ServerFile;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a running server follow its file, which is read again when that is asked for. Thread-safe. */
public final class FileReload {
    private static final Logger LOG = LoggerFactory.getLogger(FileReload.class);

    private final FileServer server;
    private final Source source;
    private final Consumer<List<String>> say;
    private Checked served;

    /**
     * Where the file comes from.
     *
     * @param first   the file as it is served at first
     * @param reading reads the file, with the settings of the command line
     * @param check   refuses a file that does not go with how the server is reached
     */
    public record Source(Checked first, Supplier<Checked> reading, Consumer<ServerFile> check) {}

    private FileReload(FileServer server, Source source, Consumer<List<String>> say) {
        this.server = server;
        this.source = source;
        this.say = say;
        served = source.first();
    }

    /**
     * Has a server follow its file, also where another window of its data folder asks for that.
     *
     * @param say tells the operator some lines at once
     */
    public static FileReload of(FileServer server, Source source, Consumer<List<String>> say) {
        var reload = new FileReload(server, source, say);
        server.onReload(reload::reload);
        return reload;
    }

    /** Reads the file, and serves what is written there; a file that cannot be served changes nothing. */
    public synchronized void reload() {
        var name = served.file().path().getFileName();
        try {
            var read = source.reading().get();
            var change = new FileChange(served.fields(), read.fields());
            source.check().accept(read.file());
            server.change(read.file(), change);
            served = new Checked(
                    read.file(), change.served(), read.mistakes(), read.warnings(), read.secrets(), read.documents());
            say.accept(told(name + " was read again: ", change, read.warnings()));
        } catch (ConfigException | UsageException | IllegalArgumentException e) {
            say.accept(refused(name + " was read again and cannot be served, so that nothing has changed:", e));
        } catch (RuntimeException e) {
            LOG.error("{} could not be read again", name, e);
        }
    }

    private static List<String> told(String name, FileChange change, List<Mistake> warnings) {
        var lines = new ArrayList<String>();
        lines.add(name + change.taken().orElse("nothing has changed that is taken now"));
        if (!change.left().isEmpty()) {
            lines.add("restart the server to change " + String.join(", ", change.left()));
        }
        warnings.forEach(warning -> lines.add(warning.warning()));
        return lines;
    }

    private static List<String> refused(String line, RuntimeException why) {
        var lines = new ArrayList<>(List.of(line));
        lines.addAll(String.valueOf(why.getMessage()).lines().toList());
        return lines;
    }
}
