// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.ResourcePart;
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
        var picture = Base64.getEncoder().encodeToString("same".getBytes());
        var result = JsonText.read("{\"content\": [{\"type\": \"image\", \"mimeType\": \"image/png\", \"data\": \""
                + picture + "\"}, " + link("a.png") + ", " + link("b.png") + "]}");
        var saved = new SavedResult(
                folder + "/",
                uri -> List.of(new ResourcePart.Text(uri, "image/png", "same")),
                TestTerminal.silent().terminal());
        saved.save(result);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a.png", "b.png");
    }

    private static String link(String name) {
        return "{\"type\": \"resource_link\", \"name\": \"x\", \"uri\": \"longhaul://tasks/7/files/" + name + "\"}";
    }
}
