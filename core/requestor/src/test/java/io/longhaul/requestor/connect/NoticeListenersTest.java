// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoticeListenersTest {

    private final NoticeListeners listeners = new NoticeListeners();
    private final List<Notice> heard = new ArrayList<>();

    @Test
    void what_a_task_logs_before_its_call_knows_it_is_heard_then_in_order_and_once() {
        var first = line("a", "\"one\"");
        var second = line("a", "\"two\"");
        var live = line("a", "\"three\"");
        listeners.notify(first);
        listeners.notify(line("another", "\"other\""));
        listeners.notify(second);
        var listening = listeners.onLog("a", heard::add);
        listeners.notify(live);
        assertThat(heard).containsExactly(first, second, live);
        listening.close();
        heard.clear();
        listeners.onLog("a", heard::add);
        assertThat(heard).isEmpty();
    }

    @Test
    void of_what_nobody_hears_the_last_lines_are_kept_and_no_long_one() {
        listeners.notify(line("a", "\"" + "x".repeat(16 << 10) + "\""));
        for (int i = 0; i < 100; i++) {
            listeners.notify(line("a", String.valueOf(i)));
        }
        listeners.onLog("a", heard::add);
        assertThat(heard).hasSize(64).first().isEqualTo(line("a", "36"));
    }

    private static Notice line(String task, String data) {
        return new Notice.Log("info", null, Json.raw(data), task);
    }
}
