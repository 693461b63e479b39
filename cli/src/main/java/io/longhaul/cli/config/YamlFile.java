package io.longhaul.cli.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a YAML file into entries that know their place. */
final class YamlFile {
    private YamlFile() {}

    static Entry read(Path file) {
        var name = file.toString();
        var settings = LoadSettings.builder()
                .setLabel(name)
                .setSchema(new CoreSchema())
                .setUseMarks(true)
                .build();
        try {
            var root = new Compose(settings).composeString(text(file));
            return new Entry(
                    name,
                    "",
                    root.orElseThrow(() ->
                            new ConfigException(name + ": the file is empty. Write a list of tools below \"tools:\".")),
                    0);
        } catch (MarkedYamlEngineException e) {
            throw new ConfigException(name
                    + e.getProblemMark()
                            .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                            .orElse("")
                    + ": not YAML: " + e.getProblem()
                    + ". Look at the indentation (spaces, no tabs), the quotes and the colons up to here.");
        } catch (YamlEngineException e) {
            throw new ConfigException(name + ": not YAML: " + e.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such file. Name a YAML file that lists tools.");
        } catch (CharacterCodingException e) {
            throw new ConfigException(file + ": the file is not UTF-8 text. Save it as UTF-8.");
        } catch (IOException e) {
            throw new ConfigException(file + ": the file cannot be read (" + e.getMessage() + ").");
        }
    }
}
