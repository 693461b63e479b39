// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.ResourcePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that a result links to. */
class SavedFilesTest {

    @TempDir
    private Path folder;

    @Test
    void files_of_equal_contents_are_all_saved_and_a_picture_that_is_one_of_them_once() {
        var picture = Base64.getEncoder().encodeToString("same".getBytes(UTF_8));
        save(
                "{\"type\": \"image\", \"mimeType\": \"image/png\", \"data\": \"" + picture + "\"}",
                link("a.png"),
                link("b.png"));
        assertThat(saved()).containsExactlyInAnyOrder("a.png", "b.png");
    }

    @Test
    void files_of_one_name_are_all_saved() {
        save(link("a.png"), "{\"type\": \"resource_link\", \"uri\": \"db://7/a.png\"}");
        assertThat(saved()).containsExactlyInAnyOrder("a.png", "2-a.png");
    }

    @Test
    void files_whose_names_a_system_does_not_tell_apart_are_all_saved() {
        save(link("a:b"), link("a_b"));
        assertThat(saved()).containsExactlyInAnyOrder("a_b", "2-a_b");
    }

    @Test
    void a_name_of_nothing_but_the_way_out_is_a_file_in_the_folder() {
        save(link("a/.."), link("//"));
        assertThat(saved()).containsExactlyInAnyOrder("_..", "_");
    }

    @Test
    void no_file_lies_outside_of_the_folder_or_is_hidden() {
        save(
                link("../../x.png"),
                link(".git/hooks/y"),
                link("/etc/z"),
                "{\"type\": \"resource_link\", \"uri\": \"urn:a:b\"}");
        assertThat(saved()).containsExactlyInAnyOrder("x.png", "_.git", "etc", "urn_a_b");
        assertThat(folder.resolve("_.git/hooks/y")).exists();
    }

    @Test
    void a_file_that_is_there_is_kept_and_nothing_is_saved() throws IOException {
        Files.writeString(folder.resolve("b.png"), "mine");
        assertThatThrownBy(() -> save(link("a.png"), link("b.png")))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("b.png is there already. Name another folder, or remove it.");
        assertThat(folder.resolve("b.png")).hasContent("mine");
        assertThat(saved()).containsExactly("b.png");
    }

    private void save(String... content) {
        var result = JsonText.read("{\"content\": [" + String.join(", ", content) + "]}");
        new SavedResult(
                        folder + "/",
                        uri -> List.of(new ResourcePart.Text(uri, "image/png", "same")),
                        TestTerminal.silent().terminal())
                .save(result);
    }

    private List<String> saved() {
        return List.of(folder.toFile().list());
    }

    private static String link(String name) {
        return "{\"type\": \"resource_link\", \"name\": \"x\", \"uri\": \"longhaul://tasks/7/files/" + name + "\"}";
    }
}
