// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.TaskId;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Values in the path of an address. */
class UrlTemplateTest {

    private static URI filled(String path, String name, String ext) {
        var arguments = JsonNodeFactory.instance.objectNode().put("name", name).put("ext", ext);
        var values = new TemplateValues(
                new TemplateValues.JobCall(arguments, new TaskId("0".repeat(36)), JobCaller.NONE), 0, null, null, null);
        return UrlTemplate.parse("https://api.test" + path).fill(values);
    }

    @ParameterizedTest
    @CsvSource({
        "/files/{name}.{ext}, .,  '', ext",
        "/.{name}/x,          .,  '', name",
        "/x/.{name},          '', '', name",
        "/{name}{ext}/x?q=1,  .,  .,  ext",
        "/{name}{ext}?q=1,    '', '', ext",
        "/files/{name},       x/../../admin/keys, '', name",
        "/files/{name},       ../x,    '',     name",
        "/files/{name},       x/..,    '',     name",
        "/files/{name},       a/./b,   '',     name",
        "/files/{name},       a\\..\\b, '',     name",
        "/files/{name}{ext},  a/.,     ./b,    ext"
    })
    void values_make_no_step_in_a_path_together_or_with_a_text(String path, String name, String ext, String refused) {
        assertThatThrownBy(() -> filled(path, name, ext))
                .isInstanceOf(RefusedValueException.class)
                .hasMessageStartingWith("The argument '" + refused + "' must not be ");
    }

    @ParameterizedTest
    @CsvSource({
        "/files/{name}.{ext},  .,    x,   /files/..x",
        "/{name}/{ext},        a..b, ...,  /a..b/...",
        "/{name}/x,            feature/x, '', /feature%2Fx/x",
        "/{name}/x,            a../..b/...,  '',  /a..%2F..b%2F.../x",
        "/x?q={name},          ..,   '',  /x?q=..",
        "/x/{ext}?q=../{name}, ..,   y,   /x/y?q=../.."
    })
    void values_that_only_look_like_steps_are_sent(String path, String name, String ext, String expected) {
        assertThat(filled(path, name, ext)).hasToString("https://api.test" + expected);
    }
}
