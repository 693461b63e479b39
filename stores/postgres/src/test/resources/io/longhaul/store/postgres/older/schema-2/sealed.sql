CREATE SCHEMA "longhaul";
SET search_path TO longhaul;


CREATE TABLE "longhaul"."schema_version" (
    "installed_rank" INT NOT NULL,
    "version" VARCHAR(50),
    "description" VARCHAR(200) NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "script" VARCHAR(1000) NOT NULL,
    "checksum" INTEGER,
    "installed_by" VARCHAR(100) NOT NULL,
    "installed_on" TIMESTAMP NOT NULL DEFAULT now(),
    "execution_time" INTEGER NOT NULL,
    "success" BOOLEAN NOT NULL
);

ALTER TABLE "longhaul"."schema_version" ADD CONSTRAINT "schema_version_pk" PRIMARY KEY ("installed_rank");

CREATE INDEX "schema_version_s_idx" ON "longhaul"."schema_version" ("success");

-- Schema 1, in which tables and columns have the names that they have in SQLite. Times are nanoseconds since 1970 (UTC), but
-- for what the clock of the database says. Ids sort in the order of creation, so that new rows go to the end of each index;
-- all texts sort by their bytes. What the blobs hold says the schema of SQLite.

CREATE SEQUENCE lease_epoch;

-- One row for each node that ever joined.
--   epoch       of its newest lease; older ones are void
--   expires_at  by the clock of the database; the lease is void from then on. '-infinity' where it cannot be renewed any more
CREATE TABLE lease (
    node       text COLLATE "C" PRIMARY KEY,
    epoch      bigint NOT NULL,
    joined_at  bigint NOT NULL,
    expires_at timestamptz NOT NULL
);

-- One row for each task. A page has room for new versions of its rows, so that a change which leaves the indexes alone stays
-- in its page.
CREATE TABLE task (
    id           text COLLATE "C" PRIMARY KEY,
    owner        text COLLATE "C" NOT NULL,
    creation_key text COLLATE "C",
    stage        smallint NOT NULL,
    lease_node   text COLLATE "C",
    lease_epoch  bigint NOT NULL,
    expires_at   bigint,
    version      bigint NOT NULL,
    last_event   bigint NOT NULL,
    updated_at   bigint NOT NULL,
    spec         bytea NOT NULL,
    body         bytea NOT NULL,
    route        text COLLATE "C",
    route_group  text COLLATE "C" GENERATED ALWAYS AS (split_part(route, '/', 1)) STORED,
    route_member text COLLATE "C" GENERATED ALWAYS AS (substr(route, strpos(route, '/') + 1)) STORED
) WITH (fillfactor = 80);

CREATE INDEX task_of_owner ON task (owner, id);

CREATE INDEX task_unended ON task (id) WHERE stage > 0;

CREATE INDEX task_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX task_of_group ON task (owner, route_group, id, route_member) WHERE route_group IS NOT NULL;

CREATE UNIQUE INDEX task_creation_key ON task (owner, creation_key) WHERE creation_key IS NOT NULL;

-- The history of each task.
CREATE TABLE event (
    task_id text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, seq)
);

-- Big pieces of tasks and events.
CREATE TABLE part (
    task_id text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (task_id, name)
);

-- Small rows that are no tasks, such as sessions.
CREATE TABLE handle (
    space      text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    value      bytea NOT NULL,
    expires_at bigint,
    PRIMARY KEY (space, key)
) WITH (fillfactor = 80);

CREATE INDEX handle_expiry ON handle (expires_at) WHERE expires_at IS NOT NULL;

-- The data keys that have sealed blobs, each with a blob that it has sealed.
CREATE TABLE data_key (
    id    text COLLATE "C" PRIMARY KEY,
    proof bytea NOT NULL
);

-- By default a table is cleaned when a fifth of its rows are dead: for 10 million tasks these are 2 million, and days of them.
ALTER TABLE task SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

ALTER TABLE part SET (autovacuum_vacuum_scale_factor = 0.01);

ALTER TABLE handle SET (autovacuum_vacuum_scale_factor = 0.01);

-- Schema 2: what several nodes need that have the store at once.

-- Since when the lease has held without a gap.
ALTER TABLE lease ADD COLUMN held_since timestamptz NOT NULL DEFAULT clock_timestamp();

-- work      the name of the tool. Null in rows of schema 1, until a node claims
-- unfenced  whether the work may run, and the task was last written by somebody else than its node
ALTER TABLE task ADD COLUMN work text COLLATE "C";

ALTER TABLE task ADD COLUMN unfenced boolean NOT NULL DEFAULT false;

-- By these a node finds every second, among all that runs, what it may claim and what others have changed.
CREATE INDEX task_of_lease ON task (lease_node, lease_epoch) WHERE stage > 0;

CREATE INDEX task_unfenced ON task (lease_node) WHERE unfenced;

CREATE INDEX task_without_work ON task (id) WHERE stage > 0 AND work IS NULL;

INSERT INTO data_key (id, proof) VALUES
    ('past', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000043947647f8ca7502d2204ec683794011b5c4414b9d');

INSERT INTO event (task_id, seq, body) VALUES
    ('000000000000000000000000000000000002', '3', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000008ab311c823a561edd95eaab7061d2ed7b9a554de263333cd3e08ec6c2ed7690f79df73993ba463c639ed7de28c09e07511c0292cccd'),
    ('000000000000000000000000000000000003', '3', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000d541597c726a4bb62d0c2890d667b05a1580501d39cb211150cf7cbdaa4'),
    ('000000000000000000000000000000000006', '2', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000017c9252d1fab1636a9048e3b2f3c1386ba3b456a1625dc57e694e1dfb82bdacbfe50cbc3e7e997'),
    ('000000000000000000000000000000000007', '2', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000001c2101ce18d258372a6375f6bb5a3e1cbc75bb4cf19063b89c9d50f3eb897b51d0430ba6e3508a');

INSERT INTO handle (space, key, value, expires_at) VALUES
    ('session', 's', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000001ffab824a6041c3ecdd4db5feb36bf2adc3075', '1800000009123456789');

INSERT INTO lease (node, epoch, joined_at, expires_at, held_since) VALUES
    ('old', '1', '1800000000123456789', '2026-11-25 23:37:27.770543+00', '2026-11-25 23:37:12.770545+00');

INSERT INTO part (task_id, name, body) VALUES
    ('000000000000000000000000000000000006', 'outcome', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b00000000000000182648ea288193d83a1248c2f1d5095a77048b03b2ef554379907e4d6e82a4ebf3f93710f481081406ac403853bde3cf0300212f6f0392aa4d6f9cb53dad1125665551cadc9f48c2fa00fc4f2b1ccd760c3ebddae6eb134974f581116ba05984a67ac627db0fe18b25026d96af2b3d0b4214d249e9a5181ce4a4a6f4a472f721e227c312b1e28ce7a9183105858b61806eaed90120b6dceb47e4dc6a2bec96d0d9a29a0733e228cf15488d5c6b2092a512c214ef699debfb8174ba4dcc5ea2ed9834ad4d6961b699b5974e22819617b2ee616443264f9d3f94f2c923d69c71d234db1d71c7edc64c0787750f96ffefa68df77c6835094482d14b2ce5b6a6a99d347bfa0c0d81c226210b79f8959425ab66aab64f5a6116a1d688d229f22ccdc5194dd16eb24229a970efc32df45b43e5818e7c3268fe9c5549da0703b6cb370bc3b0a6bed9e8cc146b547a465d494e4dae8a07f5aaaae90f2a591756fd0635f197a39aa3e80630af2ec80010699b4f9a3255871c23497544210c45df1fde60e33f8c08acb53ae40cc94ac7ce2ab45d15866b0ea1b3a1924dfdfd3a53c42ee1568995f432370af2b6c62b5c44105e69ee9cdf8e39c3fce51b8fdc45266b108495af9730b34951bb756a1a546d1efd02b2b9efc7e49bcf2fb543c92c2baee6e2a69a4c0aca0cdf5310decea26f2cc38635ad3d016752811c09e90096e629e8062c30aa2a60cce0b1711666d083dea3fd5e8f11042210ca230c12b1322a4fc8f78bf8e25e36ba5a5f16fe89e03baf23162a322701a8c22280d4f9073844274960851e4254f5e57bc67c3226951d3a1c2235dcce69da1358296ced008bd351277e8e9f59daf05c446a625c3992d57b15baec1cea42150a9e5ad06598b903c6101bdd9d7e8420644f7e5dcb2d05f025704225e814dd363499ffb0e1357d050f9f19050454118d97548a18fdd97fd320fd6c38450864eba63ad3674186f8631440dc15b0c363f10cc38d89ff3c27b8ba3158b1b8c531e97b74d230ba0d07e5f19350fb12a833ffd9adb62600690da5e7d2836189a5dbc6e086576eff418f16ab0eb9e87c93d79e04be6b7638f79a0eb068263b9773274d1c709b0655929ec16dd31723a5a4c20f500090a9c5feeedfb48448994eeea63c2ad6d516e7406b1ef17a4c24105b714416cc3b3d2a3cea3ef2a9ed3a6bb4596afd7736fd3846b062ad5a4a6a311a6a82a92c2a26262143172f7363c09529b5ad9c21c63dbccb9b1fcc979e781630499aef723a5a0b315dea07c27a28f58c26587920bf6848195e1a1e383193e9403f2a118b308914a9d619bc0febe889e81056738f250e551678b8fec379ae065c9ce855b6e135698be26f861d30e57ec6a7f94a6d91b4135a27324f2d94a8f267fb3004e0ad619f5ec06a58a0083f926ed0350901a47fc1305f4970023ffdba20bac0f31e4718d4e605db6443dc98c3886dae82a7375390cc56d53d3c58d30449bf5ab60a1a8210b0e1b6cf56c08d7f45246cdd0d57adb4796e11b9afb370a8511b6c58e2c883de47b7d6e10a604c86d63da1d8a7ce4aeff9de9e3d');

INSERT INTO schema_version (installed_rank, version, description, type, script, checksum, installed_by, installed_on, execution_time, success) VALUES
    ('0', NULL, '<< Flyway Schema Creation >>', 'SCHEMA', '"longhaul"', NULL, 'postgres', '2026-11-25 23:37:12.41687', '0', 'true'),
    ('1', '1', 'tasks', 'SQL', 'V1__tasks.sql', '994037598', 'postgres', '2026-11-25 23:37:12.461302', '41', 'true'),
    ('2', '2', 'nodes', 'SQL', 'V2__nodes.sql', '226994653', 'postgres', '2026-11-25 23:37:12.595215', '21', 'true');

INSERT INTO task (id, owner, creation_key, stage, lease_node, lease_epoch, expires_at, version, last_event, updated_at, spec, body, route, work, unfenced) VALUES
    ('000000000000000000000000000000000001', 'alice', NULL, '0', 'old', '1', '1800086400123456789', '3', '3', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000001e5f9762e97ba0d31f4a0ee7d9cfa0877eca3b35b22e4f99f383e39747cd3ef27348e588ea6886f10872a5273d20c43e1b8278e2445137faaa5f77a3dc9', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000425ea482514560228a940b6817c7da121854d03529013ebd37fd0db7043fb45d8eccf99edf42dd40131a27acb2182f6c6fb61d669', NULL, 'work', 'false'),
    ('000000000000000000000000000000000002', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000005dfd0244410ad869fa3f04fe124cdc0299b99fbfce8c20f6423b46e562ee318b3c490284b5a268ad0f33be378b6e0758ab648c7b2680977babb92400387', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000009829775943097c8c25e9a36357ea7196efdeff8168178a971d98da93df798fe0602b8153005fc246394dde62f77bfd2fda7425148e6dd9d85805a69e6', NULL, 'work', 'false'),
    ('000000000000000000000000000000000003', 'alice', NULL, '2', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000a00fda089a19355bf1a9140dbed73c0e767d5d5294338b106235ed142773b4ce175a8bdb346b26537598e70cccbc60da55ee337d85502c95b38f008d493', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000e6b4bdec36809ad66edaa516175985775d317b2ff8cad1fe63344cd228087fce17dc6c1229b0c57f7bb2f808be57e46256806e7b3eac495194737e6edd5d69e0d0bb718013143ab1f4fe3f9d66058', NULL, 'work', 'false'),
    ('000000000000000000000000000000000004', 'alice', NULL, '1', 'old', '1', NULL, '3', '3', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000000ff26da5976e6c164824dc670297981a3ff2255e11e4af778fafe9a0ab75c9421773834251c59873b62712036ea497d16a94eb802ce63834407acc2425d7', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b00000000000000129260e1fe9772fd262c482de2fc51fed8c848739f08f407f67b32524ef661c1bc5ef27f90170cbaca61be0abafb927edda30f8b3455', NULL, 'work', 'true'),
    ('000000000000000000000000000000000005', 'alice', NULL, '2', NULL, '0', NULL, '1', '1', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000013f40e53fb6dfba9cd5d9028f53aee26db1cb450319f3ac2a70255ab57353205afe913a19984bc648dc7d61e7bba25211c0e194c77729d7f47c5b74c5134', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000014048d8a0d1330311fd8838eb461a526df75ede05ba2f30a44e0c08a0c76d8f89621b4', NULL, 'work', 'false'),
    ('000000000000000000000000000000000006', 'bob', 'key', '0', NULL, '0', '1800086400123456789', '2', '2', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000015ed876ad58ee2b77f723601e8e5c498040b235223f946aa5d5d5a82373174b70036b7d50cb6e4df0f92abb30a62a22025d3ea44626fdfb5fa40c60d60974895f96e7c531e', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b0000000000000019f6a39fcfe9dfc4e700e2b5aae62811e1d2af317018d288b6d13c27af1dc987ea5a4d38b49ccacb04b61006263be2e816dfaece18dc353e', NULL, 'work', 'false'),
    ('000000000000000000000000000000000007', 'alice', NULL, '0', NULL, '0', '1800000060123456789', '3', '2', '1800000000123456789', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000001a7317b24d5d44b6d5e63477384e9d080d214f513941a143024c2e367536ee972a1dfb2ef635e7e0fe8ce28178b61d6749c97a1514f5a2c643c3b3430855', E'\\x004c4801047061737465d4d5c48225f115e514272466e41c0b000000000000001e75e7045ad7526898cd8c5bb4627cbbd07e237ea8dad87e12a93727a1caf0da85efb52aeb21227bb1017a260493b1681aa42fd0608f', NULL, 'work', 'false');

SELECT setval('lease_epoch', 1);
