// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.transport.Share;
import io.longhaul.testkit.ThreadsContract;
import java.util.List;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A table of all callers with two places, whatever threads use it. */
@Param(name = "number", gen = IntGen.class, conf = "1:3")
public class FairMapThreadsTest extends ThreadsContract {

    private final FairMap<Integer> map = new FairMap<>(2);

    public FairMapThreadsTest() {
        put(1, 1);
        put(2, 2);
    }

    @Operation
    public List<Integer> put(@Param(name = "number") int key, @Param(name = "number") int share) {
        return map.put("key " + key, new Share("share " + share), key);
    }

    @Operation
    public Optional<Integer> get(@Param(name = "number") int key) {
        return map.get("key " + key);
    }

    @Operation
    public Optional<Integer> remove(@Param(name = "number") int key) {
        return map.remove("key " + key);
    }

    @Operation
    public List<Integer> all() {
        return map.all();
    }
}
