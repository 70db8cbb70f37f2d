-- Fills an empty store of version “Tareas”.
BEGIN;
INSERT INTO ZTAREA (Z_PK, Z_ENT, Z_OPT, ZHORAS, ZPRIORIDAD, ZTITULO) VALUES
  (1, 1, 1, 1.5, 'alta', 'Escribir el informe'),
  (2, 1, 1, 0.25, 'media', 'Llamar a Inés'),
  (3, 1, 1, NULL, NULL, 'Regar las plantas'),
  (4, 1, 1, 4.1, 'baja', 'Pintar la puerta');
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Tarea';
COMMIT;
