// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.call.PrincipalName;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;

/** The keys of a server. Immutable. */
record ApiKeys(List<ApiKey> all) {

    ApiKeys {
        all = List.copyOf(all);
        var names = new HashSet<String>();
        all.forEach(key -> {
            Require.that(names.add(key.name()), "Two API keys are named " + key.name() + ": rename one of them");
        });
    }

    static boolean isKey(String token) {
        return token.startsWith(ApiKey.PREFIX);
    }

    /** Compares with all keys in constant time, so that the time tells nothing about a key. */
    TokenVerdict check(String key) {
        var digest = ApiKey.digest(key);
        TokenVerdict verdict = TokenVerdict.INVALID;
        for (var known : all) {
            if (MessageDigest.isEqual(digest, HexFormat.of().parseHex(known.sha256()))) {
                var principal = PrincipalName.ofKey(known.name()).principal();
                verdict = new TokenVerdict.Good(new Entitlement(principal, known.scopes(), null));
            }
        }
        return verdict;
    }
}
